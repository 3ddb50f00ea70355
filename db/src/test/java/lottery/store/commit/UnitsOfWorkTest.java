package lottery.store.commit;

import static lottery.store.commit.TestLog.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.TimeUnit;
import lottery.store.axon.AggregateAlreadyExistsException;
import org.axonframework.common.stream.BlockingStream;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.GenericEventMessage;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.messaging.unitofwork.DefaultUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.axonframework.modelling.command.ConcurrencyException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A unit of work")
class UnitsOfWorkTest {

    private static final UniqueKeyClaim SEAT = new UniqueKeyClaim("seat", "1", "anna");

    private final TestDatabase database;
    private final StoredLog stored;
    private final TestLog log;

    UnitsOfWorkTest() {
        database = TestDatabase.create("units");
        stored = new StoredLog(database.sql());
        log = TestLog.on(database);
    }

    @AfterEach
    void close() {
        log.close();
        database.close();
    }

    @Test
    @DisplayName(
            "and no unit of work: an event of no aggregate comes back without one, from memory and from the database")
    void plainEvents() throws InterruptedException {
        log.events.publish(new GenericEventMessage<>(new Noted("outside")));
        UnitOfWork<?> unit = begin();
        log.events.publish(new GenericEventMessage<>(new Noted("inside")));
        unit.commit();
        assertPlain(log);
        try (TestLog other = TestLog.on(database)) {
            assertPlain(other);
        }
    }

    private static void assertPlain(TestLog log) throws InterruptedException {
        BlockingStream<TrackedEventMessage<?>> stream = log.events.openStream(null);
        for (String text : List.of("outside", "inside")) {
            assertThat(stream.hasNextAvailable(5, TimeUnit.SECONDS)).isTrue();
            assertThat(stream.nextAvailable())
                    .isNotInstanceOf(DomainEventMessage.class)
                    .extracting(EventMessage::getPayload)
                    .isEqualTo(new Noted(text));
        }
    }

    @Test
    @DisplayName("stores all events in one commit, with those of nested ones, in the order of publication")
    void nested() {
        UnitOfWork<?> outer = begin();
        log.events.publish(event("a", 0));
        UnitOfWork<?> inner = begin();
        log.events.publish(event("b", 0));
        log.claims.take(SEAT);
        inner.commit();
        assertThat(stored.number("SELECT count(*) FROM event"))
                .as("events before the end")
                .isZero();
        log.events.publish(event("a", 1));
        outer.commit();
        assertThat(ids()).containsExactly("a", "b", "a");
        assertThat(stored.number("SELECT count(DISTINCT xmin::text) FROM event"))
                .as("commits")
                .isEqualTo(1);
        assertThat(log.claims.holderOf("seat", "1")).contains("anna");
    }

    @Test
    @DisplayName("that fails leaves nothing")
    void fails() {
        UnitOfWork<?> unit = begin();
        log.events.publish(event("a", 0));
        log.events.publish(new GenericEventMessage<>(new Noted("plain")));
        log.claims.take(SEAT);
        unit.rollback(new IllegalStateException("the command has failed"));
        assertNothing();
    }

    @Test
    @DisplayName("that fails while it prepares its commit leaves nothing")
    void failsLate() {
        UnitOfWork<?> unit = begin();
        log.events.publish(event("a", 0));
        unit.onPrepareCommit(ending -> {
            throw new IllegalStateException("a last check has failed");
        });
        assertThatThrownBy(unit::commit).isInstanceOf(IllegalStateException.class);
        assertNothing();
    }

    @Test
    @DisplayName("that is nested and fails alone leaves neither events nor claims in the outer one")
    void nestedFails() {
        UnitOfWork<?> outer = begin();
        log.events.publish(event("a", 0));
        UnitOfWork<?> inner = begin();
        log.events.publish(event("b", 0));
        log.claims.take(SEAT);
        inner.rollback(new IllegalStateException("the inner one has failed"));
        outer.commit();
        assertThat(ids()).containsExactly("a");
        assertThat(log.claims.holderOf("seat", "1")).isEmpty();
    }

    @Test
    @DisplayName("takes no claim of a name twice, whoever the holder is")
    void claimsOnce() {
        UnitOfWork<?> unit = begin();
        log.events.publish(event("a", 0));
        log.claims.take(SEAT);
        UniqueKeyClaim again = new UniqueKeyClaim(SEAT.scope(), SEAT.key(), "another");
        assertThatThrownBy(() -> log.claims.take(again)).isInstanceOf(UniqueKeyTakenException.class);
        unit.commit();
        assertThat(log.claims.holderOf("seat", "1")).hasValue(SEAT.holder());
    }

    @Test
    @DisplayName("around a nested one that has failed may write nothing at all")
    void nothingLeft() {
        UnitOfWork<?> outer = begin();
        UnitOfWork<?> inner = begin();
        log.claims.take(SEAT);
        inner.rollback(new IllegalStateException("the inner one has failed"));
        outer.commit();
        assertNothing();
    }

    @Test
    @DisplayName("that the store refuses is rolled back, and callers that wait for its end learn of that")
    void refused() {
        log.events.publish(event("a", 0));
        log.events.publish(event("a", 1));
        UnitOfWork<?> unit = begin();
        log.events.publish(event("a", 1));
        StringBuilder heard = new StringBuilder();
        unit.onRollback(ended -> heard.append("rolled back"));
        unit.afterCommit(ended -> heard.append("committed"));
        assertThatThrownBy(unit::commit).isInstanceOf(ConcurrencyException.class);
        assertThat(heard).hasToString("rolled back");
        assertThat(unit.isRolledBack()).isTrue();
        assertThat(ids()).containsExactly("a", "a");
    }

    private void assertNothing() {
        assertThat(stored.number("SELECT count(*) FROM event")).as("events").isZero();
        assertThat(stored.number("SELECT count(*) FROM claim")).as("claims").isZero();
    }

    private List<String> ids() {
        return database.sql()
                .sql("SELECT aggregate_id FROM event ORDER BY position")
                .query((row, i) -> row.getString(1))
                .list();
    }

    @Test
    @DisplayName("that creates what it had not found conflicts with the unit that has created it meanwhile")
    void foundAbsent() {
        String created = TestLog.newId();
        UnitOfWork<?> unit = begin();
        assertThat(log.events.readEvents(created).hasNext()).isFalse();
        log.events.publish(event(created, 0));
        log.committer.commit(TestLog.unit(created));
        assertThatThrownBy(unit::commit).isInstanceOf(ConcurrencyException.class);
    }

    @Test
    @DisplayName("that reads what it creates has not looked for it before")
    void readsItsOwn() {
        String created = TestLog.newId();
        UnitOfWork<?> unit = begin();
        log.events.publish(event(created, 0));
        assertThat(log.events.readEvents(created).hasNext()).isTrue();
        log.committer.commit(TestLog.unit(created));
        assertThatThrownBy(unit::commit).isInstanceOf(AggregateAlreadyExistsException.class);
    }

    private static UnitOfWork<?> begin() {
        return DefaultUnitOfWork.startAndGet(new GenericEventMessage<>("a command"));
    }
}
