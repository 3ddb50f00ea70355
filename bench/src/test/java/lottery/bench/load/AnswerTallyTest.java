package lottery.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;

@DisplayName("The tally of answers")
class AnswerTallyTest {

    @Timeout(60)
    @RepeatedTest(100)
    @DisplayName("Answers and latencies are of the same requests, although a caller goes on at the reset")
    void reset() throws Exception {
        AnswerTally tally = new AnswerTally();
        AtomicBoolean ends = new AtomicBoolean();
        Thread caller = Thread.ofPlatform().daemon().start(() -> {
            while (!ends.get()) {
                tally.done("200", 1_000);
            }
        });
        try {
            awaitAnswer(tally);
            tally.begin();
            awaitAnswer(tally);
        } finally {
            ends.set(true);
        }
        caller.join();
        tally.since();
        assertThat(tally.answers()).containsExactly(entry("200", tally.all().getTotalCount()));
    }

    private static void awaitAnswer(AnswerTally tally) throws InterruptedException {
        while (tally.answers().isEmpty()) {
            Thread.sleep(1);
        }
    }
}
