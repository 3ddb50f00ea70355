package lottery.store.processing;

import static org.assertj.core.api.Assertions.assertThat;

import lottery.store.TestStore;
import lottery.store.processing.ParkedEventStore.ParkedEventPosition;
import org.axonframework.common.transaction.TransactionManager;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;

@DisplayName("The store of parked events")
@SpringBootTest(classes = TestStore.class)
@ResourceLock(TestStore.DATABASE)
class ParkedEventStoreTest {

    /** After so many calls PostgreSQL keeps the plan of a statement. */
    private static final int CALLS = 20;

    private final JdbcClient database;
    private final JdbcClient owner;
    private final TransactionManager transactions;
    private final ParkedEventStore parked;

    @Autowired
    ParkedEventStoreTest(JdbcClient database, Flyway flyway, TransactionManager transactions) {
        this.database = database;
        this.owner = JdbcClient.create(flyway.getConfiguration().getDataSource());
        this.transactions = transactions;
        this.parked = new ParkedEventStore(database);
    }

    @Test
    @DisplayName("reads ten thousand sequences by their index, with plans that were made while the table was empty")
    void plans() {
        database.sql("DELETE FROM parked_event").update();
        database.sql("INSERT INTO parked_event (processor, position, sequence_id, cause, retry_at)"
                        + " VALUES ('others', 1, 'parcel', 'x', 'infinity')")
                .update();
        owner.sql("VACUUM ANALYZE parked_event").update();
        transactions.executeInTransaction(() -> {
            for (int i = 0; i < CALLS; i++) {
                assertThat(parked.due("plans", 1)).isEmpty();
                assertThat(parked.sequences("plans")).isEmpty();
            }
            database.sql("""
                            INSERT INTO parked_event (processor, position, sequence_id, cause, retry_at)
                            SELECT 'plans', number, 'parcel ' || number, 'x', now() + (number - 2) * interval '1 day'
                            FROM generate_series(1, 10000) number""").update();
            long before = rowsRead();
            assertThat(parked.sequences("plans")).hasSize(10_000);
            assertThat(parked.due("plans", 100))
                    .containsExactly(new ParkedEventPosition("parcel 1", 1), new ParkedEventPosition("parcel 2", 2));
            assertThat(rowsRead() - before).isBetween(20_000L, 25_000L);
            database.sql("DELETE FROM parked_event WHERE processor = 'plans'").update();
        });
        database.sql("DELETE FROM parked_event").update();
    }

    private long rowsRead() {
        return database.sql("""
                        SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_xact_user_tables
                        WHERE relname = 'parked_event'""").query(Long.class).single();
    }
}
