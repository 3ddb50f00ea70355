package lottery.strategy;

import lottery.api.raffle.Outcome;
import lottery.api.strategy.AwardDefinition;
import org.jspecify.annotations.Nullable;

/** What a draw came to. */
public record Decision(Outcome outcome, @Nullable AwardDefinition award) {

    static final Decision NOTHING = new Decision(Outcome.NOTHING, null);
}
