package lottery.store.commit;

import static lottery.store.commit.TestLog.event;
import static lottery.store.commit.TestLog.newId;
import static lottery.store.commit.TestLog.unit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import lottery.store.commit.Callers.CallerAnswer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("In a group of many units of work")
class GroupConflictsTest {

    private final TestDatabase database;
    private final StoredLog stored;
    private final TestLog log;
    private final Callers callers;

    GroupConflictsTest() {
        database = TestDatabase.create("groups");
        stored = new StoredLog(database.sql());
        log = TestLog.on(database);
        callers = new Callers(log.committer);
    }

    @BeforeEach
    void existing() {
        log.committer.commit(unit("taken"));
        log.committer.commit(unit("taken", 1));
        log.committer.commit(claiming(newId(), "seat", "1", "anna"));
    }

    @AfterEach
    void close() {
        callers.close();
        log.close();
        database.close();
    }

    @Test
    @DisplayName("only units with a conflict fail, each with its own error, and all others are stored")
    void onlyTheGuilty() throws SQLException {
        Map<CommitUnit, Consumer<RuntimeException>> guilty = new HashMap<>();
        for (int i = 0; i < 5; i++) {
            guilty.put(unit("taken"), GroupConflictsTest::existsAlready);
            guilty.put(unit("taken", 1), GroupConflictsTest::changed);
            guilty.put(claiming(newId(), "seat", "1", "bert"), GroupConflictsTest::seatTaken);
            guilty.put(unit("poison\0" + i), GroupConflictsTest::impossible);
            guilty.put(unit(longId(i)), GroupConflictsTest::impossible);
            guilty.put(unit("negative" + i, -1), GroupConflictsTest::impossible);
        }
        List<CommitUnit> all = new ArrayList<>(guilty.keySet());
        for (int i = 0; i < 300; i++) {
            all.add(i % 3 == 0 ? claiming(newId(), "free", "place " + i, "carl") : unit(newId()));
        }
        Collections.shuffle(all, new Random(7));
        List<CallerAnswer> answers = together(all);
        stored.agreesWith(answers);
        assertThat(answers).allSatisfy(answer -> {
            Consumer<RuntimeException> expected = guilty.get(answer.unit());
            if (expected == null) {
                assertThat(answer.failure()).isEmpty();
            } else {
                assertThat(answer.failure()).hasValueSatisfying(expected);
            }
        });
        assertThat(stored.largestGroup()).as("units in one commit").isGreaterThan(5);
        assertThat(stored.number("SELECT count(*) FROM claim WHERE scope = 'free'"))
                .isEqualTo(100);
        assertThat(log.claims.holderOf("seat", "1")).contains("anna");
    }

    @Test
    @DisplayName("an aggregate that exists is named, and no other of the same unit")
    void namesTheExisting() throws SQLException {
        CommitUnit mixed = unit("new one");
        TestLog.add(event("taken", 0), mixed);
        List<CallerAnswer> answers = together(List.of(unit(newId()), mixed, unit(newId())));
        assertThat(answers).extracting(CallerAnswer::stored).containsExactly(true, false, true);
        assertThat(answers.get(1).failure())
                .hasValueSatisfying(failure -> assertThat(failure)
                        .isInstanceOfSatisfying(
                                StreamExistsException.class,
                                e -> assertThat(e.ids()).containsExactly("taken")));
    }

    @Test
    @DisplayName("a unit that was decided on outdated state is to be decided anew, whatever it begins")
    void changedFirst() throws SQLException {
        log.committer.commit(unit("begun"));
        log.committer.commit(unit("begun", 1));
        CommitUnit outdated = unit("begun");
        TestLog.add(event("taken", 1), outdated);
        CommitUnit twoEvents = unit("begun");
        TestLog.add(event("begun", 1), twoEvents);
        List<CallerAnswer> answers = together(List.of(unit(newId()), outdated, twoEvents));
        assertThat(answers).extracting(CallerAnswer::stored).containsExactly(true, false, false);
        assertThat(answers.get(1).failure()).hasValueSatisfying(GroupConflictsTest::changed);
        assertThat(answers.get(2).failure())
                .as("what begins with the unit was not there before")
                .hasValueSatisfying(failure -> assertThat(failure).isInstanceOf(StreamExistsException.class));
    }

    @Test
    @DisplayName("a unit that creates what it had not found is to be decided anew, whatever else it creates")
    void foundAbsent() throws SQLException {
        CommitUnit looked = new CommitUnit(Set.of("taken"));
        List.of("other", "taken").forEach(id -> TestLog.add(event(id, 0), looked));
        log.committer.commit(unit("other"));
        List<CallerAnswer> answers = together(List.of(unit(newId()), looked));
        assertThat(answers).extracting(CallerAnswer::stored).containsExactly(true, false);
        assertThat(answers.get(1).failure())
                .hasValueSatisfying(failure -> assertThat(failure)
                        .isInstanceOf(StreamChangedException.class)
                        .hasMessageContaining("event 0 of taken"));
    }

    @Test
    @DisplayName("a unit is stored whole or not at all: its claims go with its events")
    void wholeUnits() throws SQLException {
        CommitUnit guilty = claiming("taken", "free", "place", "dora");
        List<CallerAnswer> answers = together(List.of(unit(newId()), guilty));
        assertThat(answers).extracting(CallerAnswer::stored).containsExactly(true, false);
        assertThat(log.claims.holderOf("free", "place")).isEmpty();
    }

    @Test
    @DisplayName("one of two units with the same event number is stored, and the other one gets a conflict")
    void samePlace() throws SQLException {
        List<CallerAnswer> answers = together(List.of(unit("new"), unit("new"), unit("taken", 2), unit("taken", 2)));
        assertThat(answers).extracting(CallerAnswer::stored).containsExactlyInAnyOrder(true, false, true, false);
        assertThat(answers.stream()
                        .filter(answer -> !answer.stored())
                        .map(answer -> answer.failure().orElseThrow()))
                .hasSize(2)
                .allSatisfy(failure ->
                        assertThat(failure).isInstanceOfAny(StreamExistsException.class, StreamChangedException.class));
        stored.agreesWith(answers);
    }

    @Test
    @DisplayName("one of two units with the same claim is stored, and the other one gets a conflict")
    void sameClaim() throws SQLException {
        List<CallerAnswer> answers =
                together(List.of(claiming(newId(), "seat", "2", "emil"), claiming(newId(), "seat", "2", "fritz")));
        assertThat(answers).extracting(CallerAnswer::stored).containsExactlyInAnyOrder(true, false);
        String loser = answers.getFirst().stored() ? "fritz" : "emil";
        assertThat(log.claims.holderOf("seat", "2")).isPresent().get().isNotEqualTo(loser);
        assertThat(answers.stream().flatMap(answer -> answer.failure().stream()))
                .singleElement()
                .isInstanceOfSatisfying(
                        UniqueKeyTakenException.class,
                        taken -> assertThat(taken.claim()).isEqualTo(new UniqueKeyClaim("seat", "2", loser)));
        stored.agreesWith(answers);
    }

    @Test
    @DisplayName("a reader that fails when it is notified harms nobody")
    void failingReader() {
        log.tail.addListener(() -> {
            throw new IllegalStateException("a reader that is shutting down");
        });
        assertThat(Callers.ask(log.committer, unit(newId())).failure()).isEmpty();
    }

    @Test
    @DisplayName("no unit can write the same thing twice")
    void twiceInOne() {
        CommitUnit twice = unit("same");
        TestLog.add(event("same", 0), twice);
        assertThatThrownBy(() -> log.committer.commit(twice)).isInstanceOf(IllegalStateException.class);
    }

    /** Holds up the committer until all units wait in its queue, in this order. */
    private List<CallerAnswer> together(List<CommitUnit> units) throws SQLException {
        try (HeadLock held = new HeadLock(database)) {
            callers.commit(unit(newId()));
            await().until(held::holdsUp);
            int waiting = 0;
            for (CommitUnit unit : units) {
                callers.commit(unit);
                int expected = ++waiting;
                await().pollInSameThread()
                        .pollDelay(Duration.ZERO)
                        .pollInterval(Duration.ofMillis(1))
                        .until(() -> log.committer.waiting() == expected);
            }
        }
        List<CallerAnswer> answers = callers.answers();
        return answers.subList(1, answers.size());
    }

    private static CommitUnit claiming(String aggregate, String scope, String key, String holder) {
        CommitUnit unit = unit(aggregate);
        unit.take(new UniqueKeyClaim(scope, key, holder));
        return unit;
    }

    /** Returns an id that is too long for an index and cannot be compressed. */
    private static String longId(int seed) {
        Random random = new Random(seed);
        return random.ints(9_000, 'a', 'z')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static void existsAlready(Throwable failure) {
        assertThat(failure)
                .isInstanceOfSatisfying(
                        StreamExistsException.class, e -> assertThat(e.ids()).containsExactly("taken"));
    }

    private static void changed(Throwable failure) {
        assertThat(failure).isInstanceOf(StreamChangedException.class).hasMessageContaining("event 1 of taken");
    }

    private static void seatTaken(Throwable failure) {
        assertThat(failure)
                .isInstanceOfSatisfying(
                        UniqueKeyTakenException.class,
                        e -> assertThat(e.claim()).isEqualTo(new UniqueKeyClaim("seat", "1", "bert")));
    }

    private static void impossible(Throwable failure) {
        assertThat(failure).isExactlyInstanceOf(UnstorableEventException.class);
    }
}
