package lottery.store.commit;

import static lottery.store.commit.TestLog.newId;
import static lottery.store.commit.TestLog.unit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import lottery.store.axon.NamedNumberSeries;
import lottery.store.axon.NamedNumberSeries.AssignedNumber;
import lottery.store.commit.Callers.CallerAnswer;
import lottery.store.commit.CommitUnit.SeriesNumberRequest;
import org.axonframework.eventhandling.GenericEventMessage;
import org.axonframework.messaging.unitofwork.DefaultUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A series of numbers")
class NamedNumberSeriesTest {

    private static final int CALLERS = 400;

    private final TestDatabase database = TestDatabase.create("series");
    private final TestLog one = TestLog.on(database);
    private final TestLog other = TestLog.on(database);
    private final NamedNumberSeries series = one.adapter.numbers;

    @AfterEach
    void close() {
        one.close();
        other.close();
        database.close();
    }

    private static CommitUnit taking(String aggregate, String name, String holder) {
        CommitUnit unit = unit(aggregate);
        unit.number(new SeriesNumberRequest(name, holder));
        return unit;
    }

    private static CommitUnit closing(String name) {
        CommitUnit unit = unit(newId());
        unit.closeSeries(name);
        return unit;
    }

    @Test
    @DisplayName("has no gap and no number twice, in the order of the log, whatever fails beside it in two processes")
    void dense() {
        one.committer.commit(unit("taken"));
        try (Callers first = new Callers(one.committer);
                Callers second = new Callers(other.committer)) {
            for (int i = 0; i < CALLERS; i++) {
                Callers caller = i % 2 == 0 ? first : second;
                caller.commit(
                        i % 7 == 0 ? taking("taken", "pool", "guilty" + i) : taking(newId(), "pool", "holder" + i));
                caller.commit(taking(newId(), "beside", "holder" + i));
            }
            List<CallerAnswer> answers = new ArrayList<>(first.answers());
            answers.addAll(second.answers());
            long guilty = answers.stream().filter(answer -> !answer.stored()).count();
            assertThat(guilty)
                    .isEqualTo(
                            IntStream.range(0, CALLERS).filter(i -> i % 7 == 0).count());
        }
        List<AssignedNumber> given = series.above("pool", 0, CALLERS);
        assertThat(given)
                .extracting(AssignedNumber::number)
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, given.size()).boxed().toList());
        assertThat(given).extracting(AssignedNumber::position).isSorted();
        assertThat(given).extracting(AssignedNumber::holder).noneMatch(holder -> holder.startsWith("guilty"));
        assertThat(series.newest("pool")).isEqualTo(given.size());
        assertThat(series.numberOf("pool", given.getFirst().holder())).hasValue(1);
        assertThat(series.numbersOf(
                        "pool",
                        List.of(given.getFirst().holder(), given.getLast().holder(), "stranger")))
                .isEqualTo(Map.of(given.getFirst().holder(), 1, given.getLast().holder(), given.size()));
        assertThat(series.numbersOf("pool", List.of())).isEmpty();
    }

    @Test
    @DisplayName("gives no number behind its close, and loses none before it, with two processes at that moment")
    void closed() {
        List<CallerAnswer> answers = new ArrayList<>();
        long closedAt;
        try (Callers first = new Callers(one.committer);
                Callers second = new Callers(other.committer)) {
            for (int i = 0; i < CALLERS; i++) {
                (i % 2 == 0 ? first : second).commit(taking(newId(), "pool", "holder" + i));
                if (i == CALLERS / 2) {
                    second.commit(closing("pool"));
                }
            }
            answers.addAll(first.answers());
            answers.addAll(second.answers());
        }
        assertThat(answers)
                .filteredOn(answer -> !answer.stored())
                .allSatisfy(answer -> assertThat(answer.failure()).containsInstanceOf(SeriesClosedException.class));
        assertThat(answers.stream().filter(answer -> !answer.unit().closed().isEmpty()))
                .singleElement()
                .matches(CallerAnswer::stored);
        List<AssignedNumber> given = series.above("pool", 0, CALLERS);
        assertThat(given)
                .hasSize((int) answers.stream().filter(CallerAnswer::stored).count() - 1);
        assertThat(series.isClosed("pool")).isTrue();
        closedAt = one.committer.commit(unit(newId()));
        assertThat(given).allMatch(number -> number.position() < closedAt);
        assertThat(Callers.ask(other.committer, taking(newId(), "pool", "late")).failure())
                .containsInstanceOf(SeriesClosedException.class);
    }

    @Test
    @DisplayName("can be closed before it has given a number, and other units of the group are stored")
    void closedAtOnce() {
        assertThat(Callers.ask(one.committer, closing("empty")).stored()).isTrue();
        assertThat(series.isClosed("empty")).isTrue();
        assertThat(series.newest("empty")).isZero();
        try (Callers callers = new Callers(one.committer)) {
            for (int i = 0; i < 50; i++) {
                callers.commit(taking(newId(), i % 2 == 0 ? "empty" : "open", "holder" + i));
            }
            assertThat(callers.answers()).filteredOn(CallerAnswer::stored).hasSize(25);
        }
        assertThat(series.newest("open")).isEqualTo(25);
    }

    @Test
    @DisplayName("with a limit gives each number up to it once, and more when it is raised, with two processes")
    void limited() {
        assertThat(takeIfLeft("codes", "none")).as("without a limit").isFalse();
        series.raise("codes", 50);
        series.raise("codes", 20);
        try (Callers first = new Callers(one.committer);
                Callers second = new Callers(other.committer)) {
            for (int i = 0; i < CALLERS; i++) {
                Callers caller = i % 2 == 0 ? first : second;
                caller.commit(taking(newId(), "codes", "holder" + i));
                caller.commit(unit(newId()));
                if (i == CALLERS / 2) {
                    series.raise("codes", 100);
                }
            }
            List<CallerAnswer> answers = new ArrayList<>(first.answers());
            answers.addAll(second.answers());
            assertThat(answers)
                    .filteredOn(answer -> !answer.stored())
                    .allSatisfy(
                            answer -> assertThat(answer.failure()).containsInstanceOf(CounterExhaustedException.class));
        }
        assertThat(series.extent("codes").orElseThrow().last()).isEqualTo(100);
        assertThat(series.above("codes", 0, CALLERS))
                .hasSize(series.newest("codes"))
                .hasSizeBetween(50, 100);
        for (int i = series.newest("codes"); i < 100; i++) {
            assertThat(takeIfLeft("codes", "later" + i)).isTrue();
        }
        assertThat(takeIfLeft("codes", "late")).isFalse();
        series.raise("codes", 101);
        assertThat(takeIfLeft("codes", "late")).isTrue();
        assertThat(series.numberOf("codes", "late")).hasValue(101);
    }

    @Test
    @DisplayName("with a limit counts what its own unit of work takes, and looks again after a commit was refused")
    void limitedInOneUnit() {
        series.raise("codes", 3);
        assertThat(takeIfLeft("codes", "a", "b", "c", "d"))
                .as("the last of them")
                .isFalse();
        series.raise("codes", 4);
        assertThat(takeIfLeft("codes", "d")).isTrue();
        series.raise("codes", 5);
        UnitOfWork<?> first = DefaultUnitOfWork.startAndGet(new GenericEventMessage<>("a command"));
        assertThat(series.takeIfLeft("codes", "f")).isTrue();
        one.events.publish(TestLog.event(newId(), 0));
        assertThat(Callers.ask(other.committer, taking(newId(), "codes", "g")).stored())
                .isTrue();
        assertThatThrownBy(first::commit).isInstanceOf(CounterExhaustedException.class);
        assertThat(takeIfLeft("codes", "f")).isFalse();
    }

    /** Takes a number for each holder in one unit of work, and returns whether the last of them got one. */
    private boolean takeIfLeft(String name, String... holders) {
        UnitOfWork<?> unit = DefaultUnitOfWork.startAndGet(new GenericEventMessage<>("a command"));
        one.events.publish(TestLog.event(newId(), 0));
        boolean isLeft = false;
        for (String holder : holders) {
            isLeft = series.takeIfLeft(name, holder);
        }
        unit.commit();
        return isLeft;
    }
}
