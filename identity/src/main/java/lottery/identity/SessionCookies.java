package lottery.identity;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import lottery.security.SessionCallers;
import org.springframework.session.web.http.HttpSessionIdResolver;

/** Stores the ids of sessions in cookies. The management port has its own cookie. */
final class SessionCookies implements HttpSessionIdResolver {

    private final HttpSessionIdResolver ofPlayers;
    private final HttpSessionIdResolver ofOperators;

    SessionCookies(HttpSessionIdResolver ofPlayers, HttpSessionIdResolver ofOperators) {
        this.ofPlayers = ofPlayers;
        this.ofOperators = ofOperators;
    }

    private HttpSessionIdResolver of(HttpServletRequest request) {
        return SessionCallers.cookieOf(request).equals(SessionCallers.COOKIE) ? ofPlayers : ofOperators;
    }

    @Override
    public List<String> resolveSessionIds(HttpServletRequest request) {
        return of(request).resolveSessionIds(request);
    }

    @Override
    public void setSessionId(HttpServletRequest request, HttpServletResponse response, String sessionId) {
        of(request).setSessionId(request, response, sessionId);
    }

    @Override
    public void expireSession(HttpServletRequest request, HttpServletResponse response) {
        of(request).expireSession(request, response);
    }
}
