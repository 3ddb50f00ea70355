package lottery.stage;

import java.time.Duration;
import java.util.Comparator;
import java.util.stream.Stream;

/** Measures how long the fastest of some calls takes. On a busy machine a single call may take seconds. */
public final class FastestCall {

    private FastestCall() {}

    /** Makes some calls, and returns the time of the fastest. */
    public static Duration of(int calls, Runnable call) {
        return of(calls, () -> {}, call);
    }

    /** Makes some calls, each after a preparation that does not count, and returns the time of the fastest. */
    public static Duration of(int calls, Runnable preparation, Runnable call) {
        return Stream.generate(() -> {
                    preparation.run();
                    long begunNanos = System.nanoTime();
                    call.run();
                    return Duration.ofNanos(System.nanoTime() - begunNanos);
                })
                .limit(calls)
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }
}
