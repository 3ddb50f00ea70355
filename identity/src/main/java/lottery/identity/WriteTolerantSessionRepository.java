package lottery.identity;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.session.Session;
import org.springframework.session.SessionRepository;

/**
 * Delegates to another session repository, but ignores failures to write the time of the last request. The work of the
 * request is done already, so the request succeeds. But if a session that has just begun cannot be written, the request
 * fails.
 */
final class WriteTolerantSessionRepository<S extends Session> implements SessionRepository<S> {

    private static final Logger LOG = LoggerFactory.getLogger(WriteTolerantSessionRepository.class);

    private final SessionRepository<S> sessions;

    /** The ids of new sessions that are not written yet. */
    private final Set<String> begun = ConcurrentHashMap.newKeySet();

    WriteTolerantSessionRepository(SessionRepository<S> sessions) {
        this.sessions = sessions;
    }

    @Override
    public S createSession() {
        S session = sessions.createSession();
        begun.add(session.getId());
        return session;
    }

    @Override
    public void save(S session) {
        boolean hasBegun = begun.remove(session.getId());
        try {
            sessions.save(session);
        } catch (DataAccessException | IllegalStateException failure) {
            // The repository is unavailable, or another request has ended the session meanwhile.
            if (hasBegun) {
                throw failure;
            }
            LOG.warn(
                    "The last access time of a session could not be written: {}. The request succeeds all the same.",
                    failure.toString());
        }
    }

    @Override
    public @Nullable S findById(String id) {
        try {
            return sessions.findById(id);
        } catch (IllegalStateException incomplete) {
            // The session ended between two steps of a write, so only a part of it is stored.
            sessions.deleteById(id);
            return null;
        }
    }

    @Override
    public void deleteById(String id) {
        sessions.deleteById(id);
    }
}
