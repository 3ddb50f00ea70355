package lottery.app;

import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Tests two processes under load while faults of all kinds come at once: of the processes, of their ways to PostgreSQL,
 * Redis and Kafka, and of these servers. {@code -Dstorm.rounds=150} makes so many rounds.
 */
@DisplayName("Two processes in a storm of faults")
class StormIT {

    private static final int ROUNDS = Integer.getInteger("storm.rounds", 2);

    @Test
    @DisplayName("Answers stay the same, both heal within seconds, and all invariants hold")
    void storm() throws Exception {
        StormRounds rounds = new StormRounds();
        rounds.play(ROUNDS, Optional.empty());
        rounds.tell();
    }
}
