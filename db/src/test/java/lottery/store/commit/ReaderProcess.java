package lottery.store.commit;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import lottery.store.axon.TestAdapter;
import org.axonframework.common.stream.BlockingStream;
import org.axonframework.eventhandling.GlobalSequenceTrackingToken;
import org.axonframework.eventhandling.TrackedEventMessage;

/** A process that reads for as long as it lives, and reports each event that it sees, with the time. */
final class ReaderProcess {

    private ReaderProcess() {}

    public static void main(String[] arguments) throws InterruptedException {
        endWithParent();
        Consumer<String> report = ChildProcess.reporter();
        long from = Long.parseLong(arguments[2]);
        try (HikariDataSource pool = Pools.patientPool(arguments[0], arguments[1], 4);
                TestLog log = TestLog.on(pool, pool, CommitterLimits.DEFAULT);
                BlockingStream<TrackedEventMessage<?>> stream =
                        log.events.openStream(new GlobalSequenceTrackingToken(from))) {
            report.accept("ready");
            while (true) {
                if (stream.hasNextAvailable(1, TimeUnit.SECONDS)) {
                    TrackedEventMessage<?> event = stream.nextAvailable();
                    report.accept("seen %d %s %d"
                            .formatted(
                                    TestAdapter.position(event.trackingToken()), event.getIdentifier(), nowMicros()));
                }
            }
        }
    }

    private static void endWithParent() {
        Thread.ofPlatform().daemon().start(() -> {
            try {
                ChildProcess.awaitParent();
            } catch (IOException e) {
                // The parent is gone, too.
            }
            Runtime.getRuntime().halt(0);
        });
    }

    static long nowMicros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }
}
