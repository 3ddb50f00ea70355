package lottery.store.commit;

import static lottery.store.commit.TestLog.newId;
import static lottery.store.commit.TestLog.unit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import lottery.store.axon.LimitedCounters;
import lottery.store.commit.Callers.CallerAnswer;
import lottery.store.commit.CommitUnit.CounterChange;
import org.axonframework.eventhandling.GenericEventMessage;
import org.axonframework.messaging.unitofwork.DefaultUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

@DisplayName("A counter of a limited thing")
class LimitedCountersTest {

    private static final String STOCK = "stock";
    private static final int LIMIT = 100;

    private final TestDatabase database = TestDatabase.create("counters");
    private final TestLog one = TestLog.on(database);
    private final TestLog other = TestLog.on(database);
    private final LimitedCounters counters = countersOf(one);
    private final LimitedCounters elsewhere = countersOf(other);

    private LimitedCounters countersOf(TestLog log) {
        return log.adapter.counters();
    }

    @AfterEach
    void close() {
        counters.close();
        elsewhere.close();
        one.close();
        other.close();
        database.close();
    }

    private static CommitUnit changing(String aggregate, long amount, long total) {
        CommitUnit unit = unit(aggregate);
        unit.count(new CounterChange(STOCK, amount, total));
        return unit;
    }

    private long taken() {
        return counters.taken(List.of(STOCK)).getOrDefault(STOCK, 0L);
    }

    /** Takes in a unit of work, as a command does. */
    private static void take(TestLog log, LimitedCounters limited, long amount, long total) {
        UnitOfWork<?> work = begin();
        log.events.publish(TestLog.event(newId(), 0));
        limited.take(STOCK, amount, total);
        work.commit();
    }

    private static UnitOfWork<?> begin() {
        return DefaultUnitOfWork.startAndGet(new GenericEventMessage<>("a command"));
    }

    @Test
    @DisplayName("gives all of it and not one more to the commands of two processes, whatever fails beside them")
    void exact() {
        one.committer.commit(unit("taken"));
        List<CallerAnswer> answers = new ArrayList<>();
        try (Callers first = new Callers(one.committer);
                Callers second = new Callers(other.committer)) {
            for (int i = 0; i < 4 * LIMIT; i++) {
                Callers caller = i % 2 == 0 ? first : second;
                caller.commit(changing(i % 7 == 0 ? "taken" : newId(), 1, LIMIT));
                caller.commit(unit(newId()));
            }
            answers.addAll(first.answers());
            answers.addAll(second.answers());
        }
        assertThat(taken())
                .isLessThanOrEqualTo(LIMIT)
                .isEqualTo(answers.stream()
                        .filter(answer -> !answer.unit().counted().isEmpty())
                        .filter(CallerAnswer::stored)
                        .count());
        // What was kept for a unit that failed for another reason is left for those that are decided again.
        long again = LIMIT - taken();
        for (int i = 0; i < again; i++) {
            one.committer.commit(changing(newId(), 1, LIMIT));
        }
        assertThat(Callers.ask(other.committer, changing(newId(), 1, LIMIT)).failure())
                .containsInstanceOf(CounterExhaustedException.class);
        assertThat(taken()).isEqualTo(LIMIT);
        assertThat(answers)
                .filteredOn(answer -> answer.unit().counted().isEmpty())
                .allMatch(CallerAnswer::stored);
    }

    @Test
    @DisplayName("counts what is given back in the same commit, before it and after it")
    void returns() {
        try (Callers callers = new Callers(one.committer)) {
            for (int i = 0; i < 200; i++) {
                callers.commit(changing(newId(), 2, 1_000));
                callers.commit(changing(newId(), -1, Long.MAX_VALUE));
                callers.answers();
            }
            assertThat(callers.answers()).allMatch(CallerAnswer::stored);
        }
        assertThat(taken()).isEqualTo(200);
    }

    @Test
    @DisplayName("lets each command have its own limit, in one group of commits, too")
    void limits() {
        one.committer.commit(changing(newId(), 6, 10));
        try (Callers callers = new Callers(one.committer)) {
            for (int i = 0; i < 20; i++) {
                callers.commit(changing(newId(), 1, i % 2 == 0 ? 5 : 16));
            }
            assertThat(callers.answers())
                    .allMatch(answer -> answer.stored()
                            == (answer.unit().counted().getFirst().total() == 16));
        }
        assertThat(taken()).isEqualTo(16);
        one.committer.commit(changing(newId(), -1, Long.MAX_VALUE));
        assertThat(taken()).as("above a limit that was lowered").isEqualTo(15);
        assertThat(Callers.ask(one.committer, changing(newId(), 1, 15)).failure())
                .containsInstanceOf(CounterExhaustedException.class);
    }

    @Test
    @DisplayName("is known to be exhausted after the first command that got nothing, until something is given back")
    void known() {
        take(one, counters, 3, 3);
        assertThat(elsewhere.isExhausted(STOCK, 1, 3)).as("before it was tried").isFalse();
        assertThatThrownBy(() -> take(other, elsewhere, 1, 3)).isInstanceOf(CounterExhaustedException.class);
        assertThat(elsewhere.isExhausted(STOCK, 1, 3)).isTrue();
        assertThat(elsewhere.isExhausted(STOCK, 1, 4)).as("with a higher limit").isFalse();
        UnitOfWork<?> work = begin();
        one.events.publish(TestLog.event(newId(), 0));
        counters.giveBack(STOCK, 1);
        work.commit();
        elsewhere.recheck();
        await().until(() -> !elsewhere.isExhausted(STOCK, 1, 3));
        take(other, elsewhere, 1, 3);
        assertThat(taken()).isEqualTo(3);
    }

    @Test
    @DisplayName("tells a command with several draws how much is left for its later ones")
    void severalTakes() {
        take(one, counters, 2, 3);
        UnitOfWork<?> first = begin();
        other.events.publish(TestLog.event(newId(), 0));
        elsewhere.take(STOCK, 1, 3);
        elsewhere.take(STOCK, 1, 3);
        assertThatThrownBy(first::commit).isInstanceOf(CounterExhaustedException.class);
        UnitOfWork<?> again = begin();
        other.events.publish(TestLog.event(newId(), 0));
        assertThat(elsewhere.isExhausted(STOCK, 1, 3)).isFalse();
        elsewhere.take(STOCK, 1, 3);
        assertThat(elsewhere.isExhausted(STOCK, 1, 3)).isTrue();
        again.commit();
        assertThat(taken()).isEqualTo(3);
    }

    @Test
    @DisplayName("counts nothing of a nested unit of work that has failed")
    void nested() {
        UnitOfWork<?> outer = begin();
        one.events.publish(TestLog.event(newId(), 0));
        UnitOfWork<?> inner = begin();
        counters.take(STOCK, 1, 3);
        inner.rollback(new IllegalStateException("the inner one has failed"));
        counters.take(STOCK, 2, 3);
        outer.commit();
        assertThat(taken()).isEqualTo(2);
        assertThat(counters.taken(List.of("another"))).isEqualTo(Map.of());
    }

    @Test
    @DisplayName("is never above its limit on the way, although something is given back later in the same moment")
    void inOrder() {
        one.committer.commit(changing(newId(), 3, 3));
        List<CallerAnswer> takes = new ArrayList<>();
        try (Callers callers = new Callers(one.committer)) {
            for (int i = 0; i < 200; i++) {
                callers.commit(changing(newId(), 1, 3));
                callers.commit(changing(newId(), -1, Long.MAX_VALUE));
            }
            takes.addAll(callers.answers());
        }
        long stored = takes.stream()
                .filter(CallerAnswer::stored)
                .mapToLong(answer -> answer.unit().counted().getFirst().amount())
                .sum();
        assertThat(taken()).isEqualTo(3 + stored).isBetween(0L, 3L);
        List<Long> changes = new ArrayList<>();
        JdbcClient.create(database.pool())
                .sql("SELECT aggregate_id FROM event ORDER BY position")
                .query(String.class)
                .list()
                .forEach(aggregate -> takes.stream()
                        .filter(answer -> answer.unit().witness().aggregateId().equals(aggregate))
                        .forEach(answer ->
                                changes.add(answer.unit().counted().getFirst().amount())));
        long running = 3;
        for (long change : changes) {
            running += change;
            assertThat(running).as("taken, in the order of the log").isLessThanOrEqualTo(3);
        }
    }

    @Test
    @DisplayName("adds changes with different limits as if they came one after the other")
    void differentLimits() {
        one.committer.commit(changing(newId(), 85, 100));
        CommitUnit unit = changing(newId(), 0, 90);
        unit.count(new CounterChange(STOCK, 10, 100));
        one.committer.commit(unit);
        assertThat(taken()).isEqualTo(95);
        CommitUnit back = unit(newId());
        back.count(CounterChange.giveBack(STOCK, 2));
        back.count(new CounterChange(STOCK, 0, 90));
        assertThatThrownBy(() -> one.committer.commit(back)).isInstanceOf(CounterExhaustedException.class);
        CommitUnit enough = unit(newId());
        enough.count(CounterChange.giveBack(STOCK, 5));
        enough.count(new CounterChange(STOCK, 0, 90));
        one.committer.commit(enough);
        assertThat(taken()).isEqualTo(90);
    }

    @Test
    @DisplayName("finds a conflict if outdated state gives the same thing back a second time")
    void twice() {
        one.committer.commit(changing("record", 1, 3));
        CommitUnit back = unit("record", 1);
        CommitUnit again = unit("record", 1);
        List.of(back, again).forEach(unit -> unit.count(CounterChange.giveBack(STOCK, 1)));
        one.committer.commit(back);
        assertThatThrownBy(() -> other.committer.commit(again)).isInstanceOf(StreamChangedException.class);
        assertThat(taken()).isZero();
    }

    @Test
    @DisplayName("never goes below zero")
    void belowZero() {
        take(one, counters, 1, 3);
        assertThatThrownBy(() -> one.committer.commit(changing(newId(), -2, Long.MAX_VALUE)))
                .hasMessageContaining("given back");
        assertThat(taken()).isEqualTo(1);
    }
}
