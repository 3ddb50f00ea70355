package lottery.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The meter of processor time")
class ProcessorTimeMeterTest {

    private static final Duration WORK = Duration.ofMillis(200);
    private static final Duration WORK_MAX = Duration.ofSeconds(60);

    @Test
    @DisplayName("It measures the processor time that this process takes.")
    void thisProcess() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        ProcessorTimeMeter own = ProcessorTimeMeter.ofThisAndPostgres();
        long end = threads.getCurrentThreadCpuTime() + WORK.toNanos();
        while (threads.getCurrentThreadCpuTime() < end) {
            Thread.onSpinWait();
        }
        // The system counts in ticks of ten milliseconds.
        assertThat(own.taken()).isGreaterThan(WORK.dividedBy(2));
    }

    @Test
    @DisplayName("It measures the processor time of another process, which began before it or after it.")
    void otherProcess() throws IOException, InterruptedException {
        ProcessorTimeMeter before = ProcessorTimeMeter.ofOthers();
        Process busy = new ProcessBuilder("sh", "-c", "while :; do :; done").start();
        try {
            awaitWork(before);
            ProcessorTimeMeter after = ProcessorTimeMeter.ofOthers();
            awaitWork(after);
        } finally {
            busy.destroyForcibly();
        }
    }

    private static void awaitWork(ProcessorTimeMeter meter) throws InterruptedException {
        long begin = System.nanoTime();
        while (meter.taken().compareTo(WORK) <= 0) {
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(WORK_MAX);
            Thread.sleep(20);
        }
    }
}
