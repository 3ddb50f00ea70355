package lottery.identity;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import lottery.security.CallerRole;
import lottery.security.SessionCallers;
import org.springframework.session.web.http.HttpSessionIdResolver;

/**
 * Begins and ends sessions of accounts. A session only names its account; the roles of the account are looked up for
 * each request. A session ends if no request comes for a certain time; each answer renews the cookie. A session also
 * ends at its maximum age, and when its account gets a new password or is locked.
 */
final class AccountSessions implements SessionCallers {

    /** How long a session lasts without a request, and in total. */
    private enum SessionLength {
        OF_PLAYERS(Duration.ofDays(7), Duration.ofDays(30)),
        /** Users with other roles have to log in again each day. */
        OF_OTHERS(Duration.ofMinutes(30), Duration.ofHours(12));

        private final Duration idleMax;
        private final Duration max;

        SessionLength(Duration idleMax, Duration max) {
            this.idleMax = idleMax;
            this.max = max;
        }

        static SessionLength of(LoginAccount account) {
            return account.roles().equals(List.of(CallerRole.PLAYER.word())) ? OF_PLAYERS : OF_OTHERS;
        }
    }

    private static final String NAME = "account";
    private static final String VERSION = "version";

    private final AccountDirectory directory;
    private final HttpSessionIdResolver cookies;
    private final InstantSource clock;

    AccountSessions(AccountDirectory directory, HttpSessionIdResolver cookies, InstantSource clock) {
        this.directory = directory;
        this.cookies = cookies;
        this.clock = clock;
    }

    /** Begins a session with a new id, and ends the caller's previous session, if there is one. */
    void begin(LoginAccount account, HttpServletRequest request) {
        end(request);
        HttpSession session = request.getSession(true);
        limit(session, account);
        session.setAttribute(NAME, account.name());
        session.setAttribute(VERSION, account.sessionVersion());
    }

    /** Sets how long the session lasts without a request. This depends on the current roles of its account. */
    private static void limit(HttpSession session, LoginAccount account) {
        int seconds = Math.toIntExact(SessionLength.of(account).idleMax.toSeconds());
        if (session.getMaxInactiveInterval() != seconds) {
            session.setMaxInactiveInterval(seconds);
        }
    }

    void end(HttpServletRequest request) {
        HttpSession session = request.getSession(false);
        if (session != null) {
            session.invalidate();
        }
    }

    @Override
    public Optional<SessionCaller> find(HttpServletRequest request, HttpServletResponse response) {
        HttpSession session = request.getSession(false);
        if (session == null) {
            return Optional.empty();
        }
        Optional<LoginAccount> account = accountOf(session);
        if (account.isEmpty()) {
            session.invalidate();
            return Optional.empty();
        }
        limit(session, account.get());
        cookies.setSessionId(request, response, session.getId());
        return account.map(each -> new SessionCaller(each.name(), each.roles(), each.sessionVersion()));
    }

    @Override
    public Optional<List<String>> rolesOf(String name, int version) {
        return accountOf(name, version).map(LoginAccount::roles);
    }

    private Optional<LoginAccount> accountOf(HttpSession session) {
        if (!(session.getAttribute(NAME) instanceof String name)
                || !(session.getAttribute(VERSION) instanceof Integer version)) {
            return Optional.empty();
        }
        Instant begun = Instant.ofEpochMilli(session.getCreationTime());
        return accountOf(name, version)
                .filter(account -> clock.instant().isBefore(begun.plus(SessionLength.of(account).max)));
    }

    private Optional<LoginAccount> accountOf(String name, int version) {
        Optional<LoginAccount> account = directory.find(name);
        if (account.isPresent() && account.get().sessionVersion() < version) {
            // The session is newer than the cached account.
            directory.forget(name);
            account = directory.find(name);
        }
        return account.filter(each -> !each.isLocked()).filter(each -> each.sessionVersion() == version);
    }
}
