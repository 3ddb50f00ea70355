package lottery.proof;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import lottery.api.activity.ActivityId;
import lottery.api.activity.RoundCommitment;
import lottery.api.activity.RoundCommitment.CommittedStrategy;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.StrategyId;
import lottery.fairness.Seed;
import lottery.proof.Difference.DifferenceMatter;
import lottery.raffle.DrawTicket;
import lottery.rule.CompiledStrategy;
import lottery.rule.DrawDecision;
import lottery.rule.DrawReason;
import lottery.rule.DrawReason.AwardsHeld;
import lottery.rule.DrawReason.LimitReached;
import lottery.rule.DrawReason.OverBudget;
import lottery.rule.DrawSituation;
import org.jspecify.annotations.Nullable;

/**
 * Decides draws again from their stored facts, and reports the differences. It needs only the versions of the
 * strategies and the rounds. It is thread-safe.
 */
final class DrawVerifier {

    private static final String NONE = "none";

    private record StrategyVersionKey(StrategyId strategyId, int number) {}

    private record BoundVersion(int round, int strategyVersion) {}

    /** A published seed, and the commitment that follows from it. */
    private record RevealedSeed(Seed seed, String commitment) {}

    private final Map<StrategyVersionKey, CompiledStrategy> rules = new HashMap<>();
    private final Map<Integer, RoundCommitment> roundCommitments = new HashMap<>();
    private final Map<Integer, RevealedSeed> seeds = new HashMap<>();

    /**
     * The versions that the rounds have committed to. A version has a difference if the stored commitment is not the
     * correct one.
     */
    private final Map<BoundVersion, Optional<Difference>> bound = new HashMap<>();

    /** Throws IllegalArgumentException if a seed is malformed. */
    DrawVerifier(
            ActivityId activityId,
            Collection<CompiledStrategy> versions,
            Collection<RoundCommitment> roundCommitments) {
        versions.forEach(
                version -> rules.put(new StrategyVersionKey(version.strategyId(), version.version()), version));
        for (RoundCommitment roundCommitment : roundCommitments) {
            this.roundCommitments.put(roundCommitment.round(), roundCommitment);
            bind(activityId, roundCommitment);
            if (roundCommitment.seed() != null) {
                Seed seed = Seed.of(roundCommitment.seed());
                seeds.put(roundCommitment.round(), new RevealedSeed(seed, seed.commitment()));
            }
        }
    }

    private void bind(ActivityId activityId, RoundCommitment roundCommitment) {
        for (CommittedStrategy strategy : roundCommitment.strategies()) {
            String recorded = strategy.roundCommitment();
            String again = roundCommitment.bindTo(activityId, strategy.approved());
            bound.merge(
                    new BoundVersion(roundCommitment.round(), strategy.strategyVersion()),
                    recorded.equals(again)
                            ? Optional.empty()
                            : Optional.of(new Difference(DifferenceMatter.ROUND_COMMITMENT, recorded, again)),
                    (one, other) -> one.isPresent() ? one : other);
        }
    }

    /** Returns the differences; none if the draw is correct. */
    List<Difference> differences(RaffleDrawn drawn) {
        List<Difference> differences = new ArrayList<>(0);
        outcome(drawn, differences);
        round(drawn, differences);
        return differences;
    }

    private void outcome(RaffleDrawn drawn, List<Difference> differences) {
        DrawDecision decision = decision(drawn);
        if (decision == null) {
            differences.add(new Difference(
                    DifferenceMatter.STRATEGY_VERSION,
                    "%s (%d)".formatted(drawn.strategyId(), drawn.strategyVersion()),
                    NONE));
            return;
        }
        if (decision.outcome() != drawn.outcome()) {
            differences.add(new Difference(
                    DifferenceMatter.OUTCOME,
                    drawn.outcome().name(),
                    decision.outcome().name()));
        }
        Prize recorded = drawn.award();
        Prize again = prize(decision);
        // Texts are built for differences only, because there are many draws, and most have none.
        if (!isSameAward(recorded, again)) {
            differences.add(new Difference(DifferenceMatter.AWARD, named(recorded), named(again)));
        }
        if (!Objects.equals(amount(recorded), amount(again))) {
            differences.add(new Difference(
                    DifferenceMatter.AMOUNT,
                    Objects.requireNonNullElse(amount(recorded), NONE),
                    Objects.requireNonNullElse(amount(again), NONE)));
        }
    }

    /** Decides the draw again; null if its version of the strategy is unknown. */
    @Nullable
    DrawDecision decision(RaffleDrawn drawn) {
        CompiledStrategy version = rules(drawn);
        return version == null ? null : version.decide(situation(drawn), new DrawTicket(drawn.ticket()));
    }

    List<DrawReason> reasons(RaffleDrawn drawn) {
        CompiledStrategy version = rules(drawn);
        if (version == null) {
            return List.of();
        }
        List<DrawReason> reasons = new ArrayList<>();
        List<Integer> reached = drawn.reached();
        if (reached != null) {
            reasons.add(new LimitReached(reached));
        }
        List<Integer> held = drawn.held();
        if (held != null) {
            reasons.add(new AwardsHeld(held));
        }
        List<Integer> overBudget = drawn.overBudget();
        if (overBudget != null) {
            reasons.add(new OverBudget(overBudget));
        }
        reasons.addAll(version.explain(situation(drawn), new DrawTicket(drawn.ticket())));
        return reasons;
    }

    @Nullable
    CompiledStrategy rules(RaffleDrawn drawn) {
        return rules.get(new StrategyVersionKey(drawn.strategyId(), drawn.strategyVersion()));
    }

    private static DrawSituation situation(RaffleDrawn drawn) {
        return new DrawSituation(drawn.userId(), drawn.drawsBefore(), drawn.drawsBeforeToday(), drawn.unavailable());
    }

    static @Nullable Prize prize(DrawDecision decision) {
        AwardDefinition award = decision.award();
        return award == null
                ? null
                : new Prize(award.awardId(), award.title(), award.type(), award.sort(), decision.amount());
    }

    private static boolean isSameAward(@Nullable Prize one, @Nullable Prize other) {
        if (one == null || other == null) {
            return Objects.equals(one, other);
        }
        return one.awardId() == other.awardId()
                && one.title().equals(other.title())
                && one.type() == other.type()
                && one.sort() == other.sort();
    }

    private static String named(@Nullable Prize prize) {
        return prize == null
                ? NONE
                : "%d %s (%s, %d)".formatted(prize.awardId(), prize.title(), prize.type(), prize.sort());
    }

    private static @Nullable String amount(@Nullable Prize prize) {
        BigDecimal amount = prize == null ? null : prize.amount();
        return amount == null ? null : amount.toPlainString();
    }

    private void round(RaffleDrawn drawn, List<Difference> differences) {
        RoundCommitment roundCommitment = roundCommitments.get(drawn.round());
        if (roundCommitment == null) {
            differences.add(new Difference(DifferenceMatter.ROUND, Integer.toString(drawn.round()), NONE));
            return;
        }
        commitment(drawn).ifPresent(differences::add);
        RevealedSeed revealed = seeds.get(drawn.round());
        if (revealed == null) {
            return;
        }
        if (!roundCommitment.commitment().equals(revealed.commitment())) {
            differences.add(
                    new Difference(DifferenceMatter.COMMITMENT, roundCommitment.commitment(), revealed.commitment()));
        }
        String ticket = ticketOf(drawn.orderId(), revealed.seed());
        if (!ticket.equals(drawn.ticket())) {
            differences.add(new Difference(DifferenceMatter.TICKET, drawn.ticket(), ticket));
        }
    }

    private Optional<Difference> commitment(RaffleDrawn drawn) {
        return commitment(drawn.round(), drawn.strategyId(), drawn.strategyVersion());
    }

    /** Returns the difference if the round has not committed to this version. */
    Optional<Difference> commitment(int round, StrategyId strategyId, int strategyVersion) {
        Optional<Difference> difference = bound.get(new BoundVersion(round, strategyVersion));
        return difference == null
                ? Optional.of(new Difference(
                        DifferenceMatter.ROUND_COMMITMENT,
                        NONE,
                        "one to %s (%d)".formatted(strategyId, strategyVersion)))
                : difference;
    }

    @Nullable
    CompiledStrategy rules(StrategyId strategyId, int strategyVersion) {
        return rules.get(new StrategyVersionKey(strategyId, strategyVersion));
    }

    /** Returns the seed of a round; empty while it is secret. */
    Optional<Seed> seed(int round) {
        return Optional.ofNullable(seeds.get(round)).map(RevealedSeed::seed);
    }

    /** Returns the difference if the seed of a round does not match the round's commitment. */
    Optional<Difference> seedDifference(int round) {
        RoundCommitment roundCommitment = roundCommitments.get(round);
        RevealedSeed revealed = seeds.get(round);
        return roundCommitment == null
                        || revealed == null
                        || roundCommitment.commitment().equals(revealed.commitment())
                ? Optional.empty()
                : Optional.of(new Difference(
                        DifferenceMatter.COMMITMENT, roundCommitment.commitment(), revealed.commitment()));
    }

    @Nullable
    RoundCommitment roundCommitment(int round) {
        return roundCommitments.get(round);
    }

    boolean hasSeed(int round) {
        return seeds.containsKey(round);
    }

    /** Returns the ticket that follows from the seed; null while the seed is secret. */
    @Nullable
    String ticketFromSeed(RaffleDrawn drawn) {
        RevealedSeed revealed = seeds.get(drawn.round());
        return revealed == null ? null : ticketOf(drawn.orderId(), revealed.seed());
    }

    private static String ticketOf(RaffleOrderId orderId, Seed seed) {
        return HexFormat.of().formatHex(seed.hmac(orderId.text()));
    }
}
