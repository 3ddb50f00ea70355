package lottery.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import lottery.store.trace.Actor;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.web.access.intercept.RequestAuthorizationContext;

class PersonalReadLogFilterTest {

    /** A database that is away. */
    private static final class UnavailableDatabase extends AbstractDataSource {

        @Override
        public Connection getConnection() throws SQLException {
            throw new SQLTransientConnectionException("PostgreSQL is away");
        }

        @Override
        public Connection getConnection(String user, String password) throws SQLException {
            return getConnection();
        }
    }

    @Test
    @DisplayName("A read of personal data that cannot be recorded is refused for now, and nothing is read")
    void away() throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/api/v1/bans");
        new AccessMatrixAuthorizer(AccessMatrix.RULES)
                .authorize(
                        () -> UsernamePasswordAuthenticationToken.authenticated(
                                "dora", null, Caller.authorities(List.of("desk"))),
                        new RequestAuthorizationContext(request));
        MockHttpServletResponse response = new MockHttpServletResponse();
        AtomicBoolean isRead = new AtomicBoolean();
        try (Actor.ActorBinding _ = Actor.open(AccessMatrixAuthorizer.actorOf(request))) {
            new PersonalReadLogFilter(new PersonalReadLog(JdbcClient.create(new UnavailableDatabase())))
                    .doFilter(request, response, (_, _) -> isRead.set(true));
        }
        assertThat(response.getStatus()).isEqualTo(503);
        assertThat(isRead).isFalse();
    }
}
