package lottery.rule;

import java.math.BigDecimal;
import lottery.api.raffle.Outcome;
import lottery.api.strategy.AwardDefinition;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a draw, decided by the rules.
 *
 * @param amount the amount of the award, if it varies
 */
public record DrawDecision(
        Outcome outcome,
        @Nullable AwardDefinition award,
        @Nullable BigDecimal amount) {

    static final DrawDecision NOTHING = new DrawDecision(Outcome.NOTHING, null, null);
}
