package lottery.security;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.springframework.security.core.Authentication;

/** Finds callers by the sessions in which they have logged in. */
public interface SessionCallers {

    /** The name of the cookie that carries the id of a session. */
    String COOKIE = "lottery_session";

    /**
     * The name of the session cookie on the management port. Browsers send cookies to all ports of a host. With one
     * name for both ports, the login of an operator would end the session of a player in the same browser.
     */
    String OPERATORS_COOKIE = "lottery_operators_session";

    /** Marks this request as received on the management port. */
    static void useOperatorsCookie(HttpServletRequest request) {
        request.setAttribute(OPERATORS_COOKIE, true);
    }

    /** Returns the name of the cookie for a request. */
    static String cookieOf(HttpServletRequest request) {
        return request.getAttribute(OPERATORS_COOKIE) == null ? COOKIE : OPERATORS_COOKIE;
    }

    /**
     * A caller who has logged in.
     *
     * @param roles the words for the roles, see {@link CallerRole}
     * @param version the version of the account when the session began
     */
    record SessionCaller(String name, List<String> roles, int version) {

        /** Returns the caller that a filter has stored in the authentication. */
        public static SessionCaller of(Authentication caller) {
            return (SessionCaller) Objects.requireNonNull(caller.getDetails());
        }
    }

    /** The claim of the lottery's own tokens that has the version of the account. */
    String VERSION_CLAIM = "lottery_account_version";

    /**
     * Returns the current roles of an account; empty if the account is locked, or if tokens and sessions of that
     * version have ended.
     */
    Optional<List<String>> rolesOf(String name, int version);

    /** Returns the caller of a request; empty: it has no session, or its session has ended. */
    Optional<SessionCaller> find(HttpServletRequest request, HttpServletResponse response);
}
