package lottery.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The meter of processor time")
class ProcessorTimeMeterTest {

    private static final Duration WORK = Duration.ofMillis(200);

    /** Works until this thread has taken that much processor time, however busy the machine is. */
    private static void work() {
        ProcessorTimeMeter meter = ProcessorTimeMeter.ofThisAndPostgres();
        while (meter.taken().compareTo(WORK) < 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    @DisplayName("It measures this process if it is asked for, and not among the others.")
    void thisProcess() {
        ProcessorTimeMeter own = ProcessorTimeMeter.ofThisAndPostgres();
        work();
        assertThat(own.taken()).isGreaterThanOrEqualTo(WORK);
    }

    @Test
    @DisplayName("It measures other processes.")
    void otherProcess() throws IOException, InterruptedException {
        ProcessorTimeMeter others = ProcessorTimeMeter.ofOthers();
        Process busy = new ProcessBuilder("sh", "-c", "while :; do :; done").start();
        try {
            Duration before = others.taken();
            while (others.taken().minus(before).compareTo(WORK) < 0) {
                Thread.sleep(20);
            }
        } finally {
            busy.destroyForcibly();
        }
    }
}
