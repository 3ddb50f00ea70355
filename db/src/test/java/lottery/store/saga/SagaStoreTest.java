package lottery.store.saga;

import static lottery.store.saga.Batches.parcels;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import lottery.store.RecordedStatements;
import lottery.store.TestStore;
import lottery.store.saga.Batches.Shown;
import lottery.store.saga.Trip.Delivered;
import lottery.store.saga.Trip.Dropped;
import lottery.store.saga.Trip.Posted;
import lottery.store.saga.Trip.Seen;
import lottery.store.saga.Trip.Weighed;
import org.axonframework.eventhandling.GenericEventMessage;
import org.axonframework.messaging.unitofwork.DefaultUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.axonframework.modelling.saga.AssociationValue;
import org.axonframework.modelling.saga.AssociationValuesImpl;
import org.axonframework.modelling.saga.SagaStorageException;
import org.axonframework.modelling.saga.repository.SagaStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;

@DisplayName("A saga")
@SpringBootTest(classes = TestSagas.class)
@ResourceLock(TestStore.DATABASE)
class SagaStoreTest {

    private final Batches batches;
    private final Search search;
    private final RecordedStatements statements;
    private final SagaStore<Object> store;
    private final BatchSagaEnder ends;
    private final JdbcClient database;

    @Autowired
    SagaStoreTest(
            Batches batches,
            Search search,
            RecordedStatements statements,
            SagaStore<Object> store,
            BatchSagaEnder ends,
            JdbcClient database) {
        this.ends = ends;
        this.batches = batches;
        this.search = search;
        this.statements = statements;
        this.store = store;
        this.database = database;
    }

    @BeforeEach
    void empty() {
        batches.clear();
        search.forget();
    }

    private static Posted posted(String parcel) {
        return new Posted(parcel, null);
    }

    @Nested
    @DisplayName("lives")
    class Living {

        @Test
        @DisplayName("from batch to batch under its stable name, with its state")
        void acrossBatches() {
            batches.handle(posted("a"), posted("b"));
            batches.handle(new Seen("a"), new Seen("b"), new Seen("a"));
            assertThat(database.sql("SELECT DISTINCT type FROM saga")
                            .query(String.class)
                            .list())
                    .containsExactly("trip");
            batches.handle(new Seen("a"), new Delivered("b"));
            assertThat(batches.rows()).containsExactly(new Shown("a", 3, 0, 3, 0));
            batches.handle(new Delivered("a"));
            assertThat(batches.rows()).isEmpty();
        }

        @Test
        @DisplayName("where it is looked up by its association")
        void lookedUp() {
            assertThat(batches.repository()).isInstanceOf(AssociationSagaRepository.class);
        }

        @Test
        @DisplayName("and ends within one batch without a trace")
        void withinOneBatch() {
            List<String> taken =
                    statements.during("saga", () -> batches.handle(posted("a"), new Seen("a"), new Delivered("a")));
            assertThat(taken).singleElement().asString().contains("saga_lock");
            assertThat(database.sql("SELECT count(*) FROM saga")
                            .query(Long.class)
                            .single())
                    .isZero();
        }

        @Test
        @DisplayName("and ends with its batch without a trace if the batch finds at its end that all is done")
        void withItsBatch() {
            batches.handleAnd(
                    () -> List.of("a", "c").forEach(done -> ends.end(Trip.class, done)), posted("a"), posted("b"));
            assertThat(batches.parcels()).containsExactly("b");
            batches.handleAnd(() -> ends.end(Trip.class, "b"), new Seen("b"), posted("c"));
            assertThat(batches.parcels()).containsExactly("c");
            // The batch does not write it, so there is nothing to end.
            batches.handleAnd(() -> ends.end(Trip.class, "c"), posted("d"));
            assertThat(batches.parcels()).containsExactly("c", "d");
        }

        @Test
        @DisplayName("and is deleted within one unit of work without a trace")
        void withinOneUnitOfWork() {
            Set<AssociationValue> a = Set.of(new AssociationValue("parcel", "a"));
            List<String> taken = statements.during("saga", () -> {
                UnitOfWork<?> unit = DefaultUnitOfWork.startAndGet(new GenericEventMessage<>("unit"));
                store.insertSaga(Trip.class, "id-a", new Trip(), a);
                assertThat(store.loadSaga(Trip.class, "id-a")).isNotNull();
                store.deleteSaga(Trip.class, "id-a", a);
                assertThat(store.findSagas(Trip.class, new AssociationValue("parcel", "a")))
                        .isEmpty();
                unit.commit();
            });
            assertThat(taken).singleElement().asString().contains("saga_lock");
        }

        @Test
        @DisplayName("again after it has ended, in the same batch too")
        void again() {
            batches.handle(posted("a"), new Seen("a"));
            batches.handle(new Delivered("a"), posted("a"), new Seen("a"), new Seen("a"));
            assertThat(batches.rows()).containsExactly(new Shown("a", 2, 0, 2, 0));
            batches.handle(new Delivered("a"));
            assertThat(batches.rows()).isEmpty();
        }

        @Test
        @DisplayName("with two statements in each batch, however many sagas there are")
        void statementsPerLife() {
            List<String> parcels = parcels("p", 200);
            List<String> taken = new ArrayList<>();
            taken.addAll(statements.during("saga", () -> batches.handle(all(parcels, SagaStoreTest::posted))));
            assertThat(taken).hasSizeLessThanOrEqualTo(2);
            taken.addAll(statements.during("saga", () -> batches.handle(all(parcels, Seen::new))));
            assertThat(taken).hasSizeLessThanOrEqualTo(4);
            taken.addAll(statements.during("saga", () -> batches.handle(all(parcels, Delivered::new))));
            assertThat(taken).as("for 200 whole lives").hasSizeBetween(3, 6);
            assertThat(batches.rows()).isEmpty();
        }

        @Test
        @DisplayName("and a batch in which some begin, some go on and some end takes three statements")
        void mixed() {
            List<String> old = parcels("old", 50);
            batches.handle(all(old, SagaStoreTest::posted));
            List<Object> events = new ArrayList<>(all(old.subList(0, 25), Seen::new));
            events.addAll(all(old.subList(25, 50), Delivered::new));
            events.addAll(all(parcels("new", 50), SagaStoreTest::posted));
            assertThat(statements.during("saga", () -> batches.handle(events))).hasSizeBetween(1, 3);
            assertThat(batches.rows()).hasSize(75);
        }

        @Test
        @DisplayName("without being written when an event leaves it as it is")
        void unchanged() {
            batches.handle(posted("a"));
            assertThat(statements.during("saga", () -> batches.handle(new Weighed("a"), new Weighed("a"))))
                    .hasSize(1);
            assertThat(batches.rows()).containsExactly(new Shown("a", 0, 0, 1, 0));
        }
    }

    @Nested
    @DisplayName("that is rolled back")
    class RolledBack {

        @Test
        @DisplayName("with its batch leaves nothing behind, in the table or in memory")
        void batch() {
            batches.handle(posted("a"));
            assertThatThrownBy(() -> batches.handle(
                            new Seen("a"), posted("b"), new Delivered("a"), posted("c"), new Dropped("b")))
                    .hasMessageContaining("broken: b");
            assertThat(batches.rows()).containsExactly(new Shown("a", 0, 0, 1, 0));
            batches.handle(new Seen("a"), new Seen("b"), new Seen("c"));
            assertThat(batches.rows()).containsExactly(new Shown("a", 1, 0, 2, 0));
        }

        @Test
        @DisplayName("because the database went away in the middle of its batch, is handled when that comes again")
        void connectionLost() {
            batches.handle(posted("a"));
            search.whenSeen(parcel -> database.sql("SELECT pg_terminate_backend(pg_backend_pid())")
                    .query(Boolean.class)
                    .single());
            assertThatThrownBy(() -> batches.handle(posted("b"), new Seen("a"))).isNotNull();
            search.forget();
            assertThat(batches.parcels()).containsExactly("a");
            batches.handle(posted("b"), new Seen("a"));
            assertThat(batches.parcels()).containsExactly("a", "b");
        }

        @Test
        @DisplayName("in a nested unit of work is not written by the one around it")
        void nested() {
            UnitOfWork<?> around = DefaultUnitOfWork.startAndGet(new GenericEventMessage<>("around"));
            store.insertSaga(Trip.class, "id-a", new Trip(), Set.of(new AssociationValue("parcel", "a")));
            UnitOfWork<?> inside = DefaultUnitOfWork.startAndGet(new GenericEventMessage<>("inside"));
            store.insertSaga(Trip.class, "id-b", new Trip(), Set.of(new AssociationValue("parcel", "b")));
            inside.rollback();
            around.commit();
            assertThat(batches.parcels()).containsExactly("a");
        }
    }

    @Nested
    @DisplayName("that another transaction has changed after it was read without a lock")
    class LostUpdates {

        @Test
        @DisplayName("fails its batch as a whole, which succeeds when it is tried again")
        void changed() {
            batches.handle(posted("a"), posted("b"));
            search.whenSeen(parcel -> inTheMeantime("UPDATE saga SET version = version + 1 WHERE association = 'a'"));
            assertThatThrownBy(() -> batches.handleWithoutLocks(new Seen("a"), new Weighed("b"), posted("c")))
                    .isInstanceOf(SagaChangedException.class);
            search.forget();
            assertThat(batches.parcels()).containsExactly("a", "b");
            batches.handle(new Seen("a"), new Weighed("b"), posted("c"));
            assertThat(batches.parcels()).containsExactly("a", "b", "c");
        }

        @Test
        @DisplayName("does not come back when it was ended")
        void ended() {
            batches.handle(posted("a"));
            search.whenSeen(parcel -> inTheMeantime("DELETE FROM saga WHERE association = 'a'"));
            assertThatThrownBy(() -> batches.handleWithoutLocks(new Seen("a")))
                    .isInstanceOf(SagaChangedException.class);
            assertThat(batches.rows()).isEmpty();
        }

        @Test
        @DisplayName("is not ended by a batch that has not read the change")
        void notEnded() {
            batches.handle(posted("a"));
            search.whenSeen(parcel -> inTheMeantime("UPDATE saga SET version = version + 1 WHERE association = 'a'"));
            assertThatThrownBy(() -> batches.handleWithoutLocks(new Seen("a"), new Delivered("a")))
                    .isInstanceOf(SagaChangedException.class);
            assertThat(batches.parcels()).containsExactly("a");
        }

        @Test
        @DisplayName("is not begun a second time")
        void begunTwice() {
            search.whenSeen(parcel -> inTheMeantime("""
                    INSERT INTO saga (association, type, version, saga_id, state)
                    VALUES ('a', 'trip', 1, 'another', '{}')"""));
            assertThatThrownBy(() -> batches.handleWithoutLocks(posted("a"), new Seen("a")))
                    .isInstanceOf(SagaChangedException.class);
            assertThat(database.sql("SELECT saga_id FROM saga")
                            .query(String.class)
                            .list())
                    .containsExactly("another");
        }

        private void inTheMeantime(String sql) {
            Thread other = Thread.ofVirtual().start(() -> database.sql(sql).update());
            try {
                assertThat(other.join(Duration.ofSeconds(10))).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Nested
    @DisplayName("of a type")
    class SagaOfType {

        @Test
        @DisplayName("that this version does not know stays as it is, under the same association too")
        void unknown() {
            database.sql("""
                    INSERT INTO saga (association, type, version, saga_id, state, due_at)
                    VALUES ('a', 'expedition', 7, 'elsewhere', '{"sail": true}', now())""").update();
            batches.handle(posted("a"), new Seen("a"));
            batches.handle(new Delivered("a"));
            assertThat(database.sql("SELECT type || version || state FROM saga")
                            .query(String.class)
                            .list())
                    .containsExactly("expedition7{\"sail\": true}");
        }

        @Test
        @DisplayName("without a name is refused")
        void nameless() {
            assertThatThrownBy(() -> store.findSagas(String.class, new AssociationValue("parcel", "a")))
                    .isInstanceOf(SagaStorageException.class)
                    .hasMessageContaining("java.lang.String has no stable name as a saga");
        }

        @Test
        @DisplayName("has one association, and not two or another")
        void oneAssociation() {
            for (Set<AssociationValue> wrong : List.of(
                    Set.<AssociationValue>of(),
                    Set.of(new AssociationValue("sender", "a")),
                    Set.of(new AssociationValue("parcel", "a"), new AssociationValue("parcel", "b")))) {
                assertThatThrownBy(() -> store.insertSaga(Trip.class, "id", new Trip(), wrong))
                        .isInstanceOf(SagaStorageException.class);
            }
            assertThat(store.findSagas(Trip.class, new AssociationValue("sender", "a")))
                    .isEmpty();
        }
    }

    @Test
    @DisplayName("is kept without any unit of work, too")
    void alone() {
        AssociationValue a = new AssociationValue("parcel", "a");
        store.insertSaga(Trip.class, "id-a", new Trip(), Set.of(a));
        assertThat(store.findSagas(Trip.class, a)).containsExactly("id-a");
        assertThat(store.findSagas(Trip.class, new AssociationValue("parcel", "b")))
                .isEmpty();
        SagaStore.Entry<Trip> entry = store.loadSaga(Trip.class, "id-a");
        assertThat(entry).isNotNull();
        assertThat(entry.associationValues()).containsExactly(a);
        entry.saga().on(posted("a"));
        store.updateSaga(Trip.class, "id-a", entry.saga(), new AssociationValuesImpl(Set.of(a)));
        assertThat(batches.rows()).containsExactly(new Shown("a", 0, 0, 2, 0));
        store.deleteSaga(Trip.class, "id-a", Set.of(a));
        assertThat(store.loadSaga(Trip.class, "id-a")).isNull();
        assertThat(batches.rows()).isEmpty();
    }

    @Tag("trial")
    @Test
    @DisplayName("reads as little after a hundred thousand short lives as after the first")
    void manyShortLives() {
        shortLives("early", 100);
        long begin = blocks();
        shortLives("first", 100);
        long first = blocks() - begin;
        shortLives("others", 200);
        begin = blocks();
        shortLives("last", 100);
        assertThat(blocks() - begin)
                .as("blocks that the last batches have read, when the first have read %d", first)
                .isLessThan(3 * first);
        assertThat(batches.rows()).isEmpty();
    }

    private void shortLives(String name, int count) {
        // Not while the test runs, so that no runner acts in between.
        Instant late = TestSagas.MORNING.plus(Duration.ofDays(1));
        for (int i = 0; i < count; i++) {
            List<String> parcels = parcels(name + i + "-", 200);
            batches.handle(all(parcels, parcel -> new Posted(parcel, late)));
            batches.handle(all(parcels, Delivered::new));
        }
    }

    /** Returns how many blocks of the table and its indexes were read so far, from the disk or from memory. */
    private long blocks() {
        return database.sql("""
                        SELECT heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit
                        FROM pg_statio_user_tables WHERE relname = 'saga'""").query(Long.class).single();
    }

    private static List<Object> all(List<String> parcels, Function<String, Object> event) {
        return parcels.stream().map(event).toList();
    }
}
