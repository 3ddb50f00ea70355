package lottery.store.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import lottery.store.commit.TestDatabase;
import lottery.store.log.LogVersion.LogVersionTooLowException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The version of a process")
class LogVersionTest {

    private final TestDatabase database = TestDatabase.create("versions");

    @AfterEach
    void close() {
        database.close();
    }

    private void start(int own, int leastBeside) {
        new LogVersion(own, leastBeside)
                .start(Logs.of(database.pool(), ShardRule.NONE).home());
    }

    private int least() {
        return database.sql()
                .sql("SELECT least_version FROM event_head")
                .query(Integer.class)
                .single();
    }

    @Test
    @DisplayName("is not too low beside a newer version that allows it, and is too low after one that does not.")
    void starts() {
        start(1, 1);
        start(2, 1);
        assertThatCode(() -> start(1, 1)).doesNotThrowAnyException();
        start(3, 2);
        assertThat(least()).isEqualTo(2);
        start(2, 1);
        assertThat(least()).isEqualTo(2);
        assertThatThrownBy(() -> start(1, 1))
                .isInstanceOf(LogVersionTooLowException.class)
                .hasMessageContaining("version 2 is the least that may. This is 1.");
        assertThat(least()).isEqualTo(2);
    }
}
