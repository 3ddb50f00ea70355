package lottery.store.commit;

import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import lottery.store.commit.Proxy.Cut;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A pool whose first connection breaks")
class FirstConnectionTest {

    private static final Duration SOON = Duration.ofSeconds(15);

    @ParameterizedTest(name = "behind {0} answers")
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8})
    @DisplayName("has others as soon as the database answers")
    void hasOthers(int answers) throws IOException {
        try (TestDatabase database = TestDatabase.create("first");
                Proxy proxy = new Proxy(database);
                HikariDataSource pool = database.pool(proxy.url(), 1)) {
            proxy.cutAfter(answers, Cut.BEFORE_ANSWER);
            try (Connection first = pool.getConnection()) {
                var _ = first.isValid(1);
            } catch (SQLException broken) {
                // It breaks while it is set up, or while it is used.
            }
            proxy.cut(Cut.NOWHERE);
            await().atMost(SOON).ignoreExceptionsInstanceOf(SQLException.class).until(() -> {
                try (Connection next = pool.getConnection()) {
                    return next.isValid(1);
                }
            });
        }
    }
}
