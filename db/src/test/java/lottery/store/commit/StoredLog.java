package lottery.store.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import lottery.store.commit.Callers.CallerAnswer;
import lottery.store.log.EventRow;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads the tables themselves, to check what callers were told. */
record StoredLog(JdbcClient sql) {

    /** Returns how often each event is stored. */
    Map<UUID, Integer> counts() {
        Map<UUID, Integer> counts = new HashMap<>();
        sql.sql("SELECT event_id FROM event").query(UUID.class).list().forEach(id -> counts.merge(id, 1, Integer::sum));
        return counts;
    }

    /** Checks that all callers were told the truth: acknowledged events are stored once, and refused ones are not. */
    void agreesWith(List<CallerAnswer> answers) {
        Map<UUID, Integer> counts = counts();
        assertThat(answers).allSatisfy(answer -> {
            for (EventRow row : answer.unit().rows()) {
                int count = counts.getOrDefault(row.id(), 0);
                if (answer.stored()) {
                    assertThat(count).as("events stored of %s", row.place()).isEqualTo(1);
                } else if (!answer.unknown()) {
                    assertThat(count)
                            .as("events stored of %s after %s", row.place(), answer.failure())
                            .isZero();
                }
            }
        });
        isWhole();
    }

    /** Checks that positions have no gap from 1 to the head, and the sequence of each aggregate none from 0. */
    void isWhole() {
        assertThat(number("SELECT count(*) FROM event"))
                .as("events")
                .isEqualTo(number("SELECT coalesce(max(position), 0) FROM event"))
                .isEqualTo(number("SELECT position FROM event_head"));
        assertThat(number("SELECT coalesce(min(position), 1) FROM event"))
                .as("the first position")
                .isEqualTo(1);
        assertThat(number("SELECT count(DISTINCT event_id) FROM event"))
                .as("different events")
                .isEqualTo(number("SELECT count(*) FROM event"));
        assertThat(number("""
                        SELECT count(*) FROM (SELECT FROM event GROUP BY aggregate_id
                        HAVING min(sequence) <> 0 OR max(sequence) <> count(*) - 1) AS broken""")).as("aggregates with a hole").isZero();
    }

    /** Returns the size of the largest group: the events of one transaction are one group. */
    long largestGroup() {
        return number("SELECT coalesce(max(count), 0) FROM (SELECT count(*) FROM event GROUP BY xmin) AS groups");
    }

    long number(String query) {
        return sql.sql(query).query(Long.class).single();
    }
}
