package lottery.stage;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Measures how long calls take. On a busy machine a single call may take seconds, so it makes several. */
public final class CallTime {

    private CallTime() {}

    /** Makes some calls, and returns the time of the fastest. */
    public static Duration fastest(int calls, Runnable call) {
        return fastest(calls, () -> {}, call);
    }

    /** Makes some calls, each after a preparation that does not count, and returns the time of the fastest. */
    public static Duration fastest(int calls, Runnable preparation, Runnable call) {
        return sorted(calls, preparation, call).getFirst();
    }

    /** Makes some calls, and returns the time that half of them do not exceed. */
    public static Duration median(int calls, Runnable call) {
        return sorted(calls, () -> {}, call).get(calls / 2);
    }

    private static List<Duration> sorted(int calls, Runnable preparation, Runnable call) {
        return Stream.generate(() -> {
                    preparation.run();
                    long begunNanos = System.nanoTime();
                    call.run();
                    return Duration.ofNanos(System.nanoTime() - begunNanos);
                })
                .limit(calls)
                .sorted()
                .toList();
    }
}
