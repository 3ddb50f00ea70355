package lottery.store.commit;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import java.util.List;
import lottery.store.connection.DurabilityStartCheck;
import lottery.store.connection.PostgresNotDurableException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

@DisplayName("A process on a PostgreSQL that may lose what it has confirmed")
class DurabilityStartCheckTest {

    private final TestDatabase database = TestDatabase.create("durable");

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    @DisplayName("does not start, unless that is wanted")
    void unsafe() {
        try (HikariDataSource pool = database.pool(database.url() + "?options=-c%20synchronous_commit=off", 1)) {
            JdbcClient hasty = JdbcClient.create(pool);
            assertThatThrownBy(() -> new DurabilityStartCheck(List.of(hasty), false).check())
                    .isInstanceOf(PostgresNotDurableException.class)
                    .hasMessageEndingWith("are off: synchronous_commit");
            assertThatCode(() -> new DurabilityStartCheck(List.of(hasty), true).check())
                    .doesNotThrowAnyException();
        }
    }

    @Test
    @DisplayName("does not start either if the server writes no full pages, whatever its connections say")
    void halfPages() {
        TestDatabase.administer("ALTER SYSTEM SET full_page_writes = off");
        try {
            assertThatThrownBy(() -> new DurabilityStartCheck(List.of(database.sql()), false).check())
                    .hasMessageEndingWith("are off: full_page_writes");
        } finally {
            TestDatabase.administer("ALTER SYSTEM RESET full_page_writes");
        }
        assertThatCode(() -> new DurabilityStartCheck(List.of(database.sql()), false).check())
                .doesNotThrowAnyException();
    }
}
