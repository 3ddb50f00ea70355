package lottery.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;

@DisplayName("The tally of answers")
class AnswerTallyTest {

    private static final int ANSWERS = 50_000;

    @Timeout(60)
    @RepeatedTest(100)
    @DisplayName("Answers and latencies are of the same requests, although a caller goes on at the reset")
    void reset() throws Exception {
        AnswerTally tally = new AnswerTally();
        Thread caller = Thread.ofPlatform().start(() -> {
            for (int i = 0; i < ANSWERS; i++) {
                tally.done("200", 1_000);
            }
        });
        tally.begin();
        caller.join();
        tally.since();
        assertThat(tally.answers().getOrDefault("200", 0L))
                .isEqualTo(tally.all().getTotalCount());
    }
}
