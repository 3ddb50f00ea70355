package lottery.proof;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import lottery.api.UserId;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.proof.Difference.DifferenceMatter;
import lottery.rule.CompiledStrategy;

/**
 * Counts how often each user has won the awards that have a limit per user. It needs all draws of an activity in the
 * order of their commits. It is not thread-safe.
 */
final class WinLimitVerifier {

    private final DrawVerifier verifier;
    private final Map<UserId, Map<Integer, Integer>> wins = new HashMap<>();

    WinLimitVerifier(DrawVerifier verifier) {
        this.verifier = verifier;
    }

    /**
     * Compares two lists of awards whose limit the user has reached: that of the draw, and that by the counts of the
     * draws before. It returns the difference, if there is one, and counts the draw.
     */
    Optional<Difference> difference(RaffleDrawn drawn) {
        CompiledStrategy rules = verifier.rules(drawn);
        if (rules == null) {
            return Optional.empty();
        }
        List<Integer> recorded = Objects.requireNonNullElse(drawn.reached(), List.of());
        List<Integer> reached = rules.reached(wins.getOrDefault(drawn.userId(), Map.of()));
        Prize award = drawn.award();
        if (award != null && rules.isLimitedPerUser(award.awardId())) {
            wins.computeIfAbsent(drawn.userId(), unknown -> new HashMap<>()).merge(award.awardId(), 1, Integer::sum);
        }
        return recorded.equals(reached)
                ? Optional.empty()
                : Optional.of(new Difference(DifferenceMatter.REACHED, recorded.toString(), reached.toString()));
    }
}
