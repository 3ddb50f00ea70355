package lottery.store.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import lottery.store.pace.CallerBlocklist.SharedBlocks;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.RedisSystemException;

@DisplayName("A caller who is refused again and again")
class CallerBlocklistTest {

    private static final int REFUSALS_MAX = 100;
    private static final Duration BLOCK = Duration.ofMinutes(10);
    private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");

    private final AtomicLong millis = new AtomicLong();
    private final Memory memory = new Memory();
    private final CallerBlocklist here = process();
    private final CallerBlocklist there = process();

    /** Holds the blocks of two processes. */
    private static final class Memory implements SharedBlocks {

        private final Map<String, Instant> blocks = new HashMap<>();
        private boolean isAway;
        private boolean isFull;

        private void requireThere() {
            if (isAway) {
                throw new RedisConnectionFailureException("away");
            }
        }

        @Override
        public void add(Map<String, Instant> more, Instant now) {
            requireThere();
            if (isFull) {
                throw new RedisSystemException("not added", new IllegalStateException("OOM command not allowed"));
            }
            blocks.values().removeIf(until -> !until.isAfter(now));
            blocks.putAll(more);
        }

        @Override
        public void remove(Set<String> callers) {
            requireThere();
            blocks.keySet().removeAll(callers);
        }

        @Override
        public Map<String, Instant> read(Instant now) {
            requireThere();
            Map<String, Instant> rest = new HashMap<>(blocks);
            rest.values().removeIf(until -> !until.isAfter(now));
            return Map.copyOf(rest);
        }
    }

    private CallerBlocklist process() {
        return new CallerBlocklist(
                memory,
                () -> BEGIN.plusMillis(millis.get()),
                () -> Duration.ofMillis(millis.get()).toNanos(),
                REFUSALS_MAX,
                BLOCK);
    }

    private void pass(Duration time) {
        millis.addAndGet(time.toMillis());
    }

    private static void refuse(CallerBlocklist process, String caller, int times) {
        for (int i = 0; i < times; i++) {
            process.refused(caller);
        }
    }

    @Test
    @DisplayName("A hundred refusals in a minute are borne, and one more is followed by a block of ten minutes.")
    void oneTooMany() {
        refuse(here, "ann", REFUSALS_MAX);
        assertThat(here.until("ann")).isEmpty();
        refuse(here, "ann", 1);
        assertThat(here.until("ann")).contains(BEGIN.plus(BLOCK));
        assertThat(here.remaining("ann")).contains(BLOCK);
        assertThat(here.all()).containsOnlyKeys("ann");
        assertThat(here.until("ben")).isEmpty();
    }

    @Test
    @DisplayName("Refusals count for a minute, wherever that begins.")
    void window() {
        for (int second = 0; second < 600; second++) {
            refuse(here, "ann", second % 3 == 0 ? 5 : 0);
            pass(Duration.ofSeconds(1));
        }
        assertThat(here.until("ann")).isEmpty();
        pass(Duration.ofSeconds(59));
        refuse(here, "ben", 60);
        pass(Duration.ofSeconds(30));
        refuse(here, "ben", 41);
        assertThat(here.until("ben")).isPresent();
    }

    @Test
    @DisplayName("A block ends by itself, and then as many refusals are borne as before.")
    void ends() {
        refuse(here, "ann", REFUSALS_MAX + 1);
        here.exchange();
        pass(BLOCK.minusMillis(1));
        assertThat(here.until("ann")).isPresent();
        pass(Duration.ofMillis(1));
        assertThat(here.until("ann")).isEmpty();
        assertThat(here.remaining("ann")).isEmpty();
        assertThat(here.all()).isEmpty();
        here.exchange();
        refuse(here, "ann", REFUSALS_MAX);
        assertThat(here.until("ann")).isEmpty();
        refuse(here, "ann", 1);
        assertThat(here.until("ann")).isPresent();
    }

    @Test
    @DisplayName("Refusals on many threads are all counted, and make one block.")
    void atOnce() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(16)) {
            List<Callable<Boolean>> all = IntStream.range(0, REFUSALS_MAX)
                    .<Callable<Boolean>>mapToObj(_ -> () -> {
                        here.refused("ann");
                        return true;
                    })
                    .toList();
            threads.invokeAll(all);
            assertThat(here.until("ann")).isEmpty();
            threads.invokeAll(all);
        }
        assertThat(here.all()).containsExactly(Map.entry("ann", BEGIN.plus(BLOCK)));
    }

    @Test
    @DisplayName("Another process knows of a block, and may lift it.")
    void elsewhere() {
        refuse(here, "ann", REFUSALS_MAX + 1);
        here.exchange();
        there.exchange();
        assertThat(there.until("ann")).contains(BEGIN.plus(BLOCK));
        assertThat(there.unblock("ann")).isTrue();
        assertThat(there.until("ann")).isEmpty();
        assertThat(there.unblock("ann")).isFalse();
        here.exchange();
        assertThat(here.until("ann")).isEmpty();
    }

    @Test
    @DisplayName("While Redis is away, a process keeps what it knew and its own blocks, and tells them later.")
    void away() {
        refuse(here, "ann", REFUSALS_MAX + 1);
        here.exchange();
        there.exchange();
        memory.isAway = true;
        refuse(here, "ben", REFUSALS_MAX + 1);
        here.exchange();
        there.exchange();
        assertThat(here.all()).containsOnlyKeys("ann", "ben");
        assertThat(there.all()).containsOnlyKeys("ann");
        assertThat(there.unblock("ann")).isTrue();
        assertThat(there.until("ann")).isEmpty();
        memory.isAway = false;
        there.exchange();
        here.exchange();
        there.exchange();
        assertThat(here.all()).containsOnlyKeys("ben");
        assertThat(there.all()).containsOnlyKeys("ben");
    }

    @Test
    @DisplayName("While Redis is away, a caller whose known block has ended is blocked again.")
    void againWhileAway() {
        refuse(here, "ann", REFUSALS_MAX + 1);
        here.exchange();
        memory.isAway = true;
        pass(BLOCK);
        assertThat(here.until("ann")).isEmpty();
        refuse(here, "ann", REFUSALS_MAX + 1);
        Instant end = BEGIN.plus(BLOCK).plus(BLOCK);
        assertThat(here.until("ann")).contains(end);
        assertThat(here.all()).containsExactly(Map.entry("ann", end));
        here.exchange();
        assertThat(here.until("ann")).contains(end);
    }

    @Test
    @DisplayName("A process whose blocks do not fit into Redis still learns of others and of lifts.")
    void full() {
        refuse(there, "ann", REFUSALS_MAX + 1);
        there.exchange();
        memory.isFull = true;
        refuse(here, "ben", REFUSALS_MAX + 1);
        here.exchange();
        assertThat(here.all()).containsOnlyKeys("ann", "ben");
        assertThat(there.unblock("ann")).isTrue();
        here.exchange();
        assertThat(here.all()).containsOnlyKeys("ben");
        memory.isFull = false;
        here.exchange();
        there.exchange();
        assertThat(there.all()).containsOnlyKeys("ben");
    }

    @Test
    @DisplayName("A block that another process has just made is lifted, and the desk hears that there was one.")
    void liftOfUnknownBlock() {
        refuse(here, "ann", REFUSALS_MAX + 1);
        here.exchange();
        assertThat(there.unblock("ann")).isTrue();
        here.exchange();
        assertThat(here.until("ann")).isEmpty();
    }

    @Test
    @DisplayName("A lift of nobody's block does not end the next one.")
    void liftOfNothing() {
        assertThat(there.unblock("ann")).isFalse();
        memory.isAway = true;
        assertThat(there.unblock("ann")).isFalse();
        memory.isAway = false;
        refuse(here, "ann", REFUSALS_MAX + 1);
        here.exchange();
        there.exchange();
        assertThat(here.until("ann")).isPresent();
        assertThat(there.until("ann")).isPresent();
    }

    @Test
    @DisplayName("A lift ends a block that another process made before and tells later, and not one made after it.")
    void liftOfBothBlocks() {
        refuse(here, "ann", REFUSALS_MAX + 1);
        refuse(there, "ann", REFUSALS_MAX + 1);
        here.exchange();
        assertThat(here.unblock("ann")).isTrue();
        there.exchange();
        here.exchange();
        there.exchange();
        assertThat(here.until("ann")).isEmpty();
        assertThat(there.until("ann")).isEmpty();

        pass(Duration.ofSeconds(1));
        refuse(there, "ann", REFUSALS_MAX + 1);
        there.exchange();
        here.exchange();
        there.exchange();
        assertThat(here.until("ann")).isPresent();
        assertThat(there.until("ann")).isPresent();
    }

    @Test
    @DisplayName("A limit whose counts would take too much memory is refused at the start.")
    void limitTooHigh() {
        assertThatThrownBy(() -> new CallerBlocklist(memory, () -> BEGIN, () -> 0, 1_001, BLOCK))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("Nobody is blocked without a limit.")
    void withoutLimit() {
        CallerBlocklist none = new CallerBlocklist(memory, () -> BEGIN, () -> 0, 0, BLOCK);
        refuse(none, "ann", 10_000);
        assertThat(none.until("ann")).isEmpty();
        assertThat(none.unblock("ann")).isFalse();
    }
}
