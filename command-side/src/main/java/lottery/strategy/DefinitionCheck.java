package lottery.strategy;

import static lottery.api.Finding.Flaw.AWARD_TWICE;
import static lottery.api.Finding.Flaw.FALLBACK_LOCKED;
import static lottery.api.Finding.Flaw.FALLBACK_UNKNOWN;
import static lottery.api.Finding.Flaw.RATES_ABOVE_ONE;
import static lottery.api.Finding.Flaw.RATE_NOT_POSITIVE;
import static lottery.api.Finding.Flaw.RATE_TOO_FINE;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import lottery.api.Finding;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.StrategyDefinition;

/** What is wrong with a strategy, all of it at once. */
final class DefinitionCheck {

    private DefinitionCheck() {}

    static List<Finding> findings(StrategyDefinition definition) {
        List<Finding> findings = new ArrayList<>();
        Set<Integer> seen = new HashSet<>();
        List<AwardDefinition> awards = definition.awards();
        for (int i = 0; i < awards.size(); i++) {
            if (!seen.add(awards.get(i).awardId())) {
                findings.add(new Finding("/awards/" + i + "/awardId", AWARD_TWICE));
            }
            rateFinding(awards.get(i).rate(), "/awards/" + i + "/rate", findings);
        }
        // Only rates that are small and positive one by one can be added up at a reasonable price.
        if (findings.isEmpty() && sum(awards).compareTo(BigDecimal.ONE) > 0) {
            findings.add(new Finding("/awards", RATES_ABOVE_ONE));
        }
        fallbackFinding(definition, findings);
        return findings;
    }

    private static void rateFinding(BigDecimal rate, String pointer, List<Finding> findings) {
        if (rate.signum() <= 0) {
            findings.add(new Finding(pointer, RATE_NOT_POSITIVE));
        } else if (rate.scale() > Odds.RATE_SCALE_MAX) {
            findings.add(new Finding(pointer, RATE_TOO_FINE));
        } else if (rate.compareTo(BigDecimal.ONE) > 0) {
            findings.add(new Finding(pointer, RATES_ABOVE_ONE));
        }
    }

    private static BigDecimal sum(List<AwardDefinition> awards) {
        return awards.stream().map(AwardDefinition::rate).reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    private static void fallbackFinding(StrategyDefinition definition, List<Finding> findings) {
        Integer fallback = definition.fallback();
        if (fallback == null) {
            return;
        }
        definition.awards().stream()
                .filter(award -> award.awardId() == fallback)
                .findFirst()
                .ifPresentOrElse(
                        award -> {
                            if (award.lockedUntilDraws() > 0) {
                                findings.add(new Finding("/fallback", FALLBACK_LOCKED));
                            }
                        },
                        () -> findings.add(new Finding("/fallback", FALLBACK_UNKNOWN)));
    }
}
