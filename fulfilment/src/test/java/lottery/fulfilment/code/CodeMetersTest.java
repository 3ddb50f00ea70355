package lottery.fulfilment.code;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import lottery.api.activity.ActivityId;
import lottery.api.award.CodePoolId;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("The meter of free codes")
@Timeout(20)
class CodeMetersTest {

    private static final CodePoolId SPRING = new CodePoolId(new ActivityId(100), 101);
    private static final CodePoolId AUTUMN = new CodePoolId(new ActivityId(200), 101);

    private static final CodePoolId SUMMER = new CodePoolId(new ActivityId(150), 101);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private CodeMeters meters(Supplier<Map<CodePoolId, Long>> count) {
        CodeMeters meters = new CodeMeters(_ -> count.get());
        meters.show(SPRING);
        meters.bindTo(registry);
        return meters;
    }

    private double free(CodePoolId pool) {
        return registry.get("lottery.award.codes.free")
                .tag("activity", Long.toString(pool.activityId().value()))
                .gauge()
                .value();
    }

    private static RuntimeException away() {
        return new IllegalStateException("the database is away");
    }

    @Test
    @DisplayName("The meter shows what is left in each pool, and in a new pool at once.")
    void counted() {
        Map<CodePoolId, Long> counted = new ConcurrentHashMap<>(Map.of(SPRING, 7L));
        CodeMeters meters = meters(() -> counted);
        assertThat(free(SPRING)).isEqualTo(7);
        counted.put(AUTUMN, 0L);
        meters.show(AUTUMN);
        assertThat(free(AUTUMN)).isZero();
        assertThat(free(SPRING)).isEqualTo(7);
    }

    @Test
    @DisplayName("If there are too many pools, a new activity takes the place of the oldest one.")
    void tooMany() {
        List<CodePoolId> old = IntStream.range(0, 100)
                .mapToObj(i -> new CodePoolId(new ActivityId(100 + i), 101))
                .toList();
        Map<CodePoolId, Long> counted = old.stream().collect(toMap(pool -> pool, _ -> 7L));
        CodeMeters meters = new CodeMeters(_ -> Map.copyOf(counted));
        meters.bindTo(registry);
        counted.remove(SPRING);
        counted.put(AUTUMN, 7L);
        meters.show(AUTUMN);
        assertThat(free(AUTUMN)).isEqualTo(7);
        assertThat(free(new CodePoolId(new ActivityId(101), 101))).isEqualTo(7);
        meters.show(SPRING);
        assertThat(registry.find("lottery.award.codes.free")
                        .tag("activity", "100")
                        .gauges())
                .isEmpty();
        assertThat(registry.getMeters()).hasSize(100);
    }

    @Test
    @DisplayName("The meter shows no number, above all no zero, before a count succeeds.")
    void neverCounted() {
        meters(() -> {
            throw away();
        });
        assertThat(free(SPRING)).isNaN();
    }

    @Test
    @DisplayName("The meter shows no number after a count fails.")
    void notCountedNow() {
        CountDownLatch left = new CountDownLatch(1);
        CodeMeters meters = meters(() -> {
            if (left.getCount() == 0) {
                throw away();
            }
            return Map.of(SPRING, 7L);
        });
        assertThat(free(SPRING)).isEqualTo(7);
        left.countDown();
        meters.show(AUTUMN);
        assertThat(free(SPRING)).isNaN();
        assertThat(free(AUTUMN)).isNaN();
    }

    @Test
    @DisplayName("While the database counts, neither an upload nor reading the meter waits.")
    void slowCount() throws Exception {
        CountDownLatch counting = new CountDownLatch(1);
        CountDownLatch counted = new CountDownLatch(1);
        AtomicBoolean isSlow = new AtomicBoolean();
        CodeMeters meters = meters(() -> {
            if (isSlow.getAndSet(true)) {
                counting.countDown();
                assertThatCode(counted::await).doesNotThrowAnyException();
            }
            return Map.of(SPRING, 7L, AUTUMN, 7L);
        });
        FutureTask<Double> looking = new FutureTask<>(() -> free(SPRING));
        Thread.startVirtualThread(looking);
        assertThat(counting.await(5, TimeUnit.SECONDS)).isTrue();

        assertThat(free(SPRING)).isNaN();
        meters.show(SUMMER);
        assertThat(looking.isDone()).isFalse();

        counted.countDown();
        assertThat(looking.get(5, TimeUnit.SECONDS)).isEqualTo(7);
        assertThat(free(AUTUMN)).isEqualTo(7);
    }
}
