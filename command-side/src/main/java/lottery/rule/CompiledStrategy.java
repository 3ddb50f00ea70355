package lottery.rule;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import lottery.api.UserId;
import lottery.api.activity.Budget;
import lottery.api.raffle.Outcome;
import lottery.api.strategy.AmountRange;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.Blacklist;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyDefinition.Mode;
import lottery.api.strategy.StrategyDefinition.TierMode;
import lottery.api.strategy.StrategyId;
import lottery.api.strategy.Tier;
import lottery.rule.DrawReason.AmountDrawn;
import lottery.rule.DrawReason.Blacklisted;
import lottery.rule.DrawReason.EndedInNothing;
import lottery.rule.DrawReason.FallenBack;
import lottery.rule.DrawReason.LeftOut;
import lottery.rule.DrawReason.Looked;
import lottery.rule.DrawReason.TierReached;
import lottery.rule.DrawReason.Won;
import lottery.tree.TreeWalker;
import org.jspecify.annotations.Nullable;

/**
 * One version of a strategy, ready to draw from. A decision is a pure function: the same inputs give the same result.
 *
 * <p>A user on the blacklist gets the award of the blacklist. Otherwise an award is picked from the tier that the user
 * has reached, or else from the whole table. The tree then decides about the picked award: the draw wins it, or the
 * fallback, or nothing.
 */
public final class CompiledStrategy {

    private static final SortedSet<Integer> NONE = Collections.emptySortedSet();

    private final StrategyId strategyId;
    private final int version;
    private final StrategyDefinition definition;
    private final Map<Integer, AwardDefinition> awards;
    private final @Nullable AwardDefinition fallback;
    private final Set<UserId> blacklisted;
    private final AwardPool whole;
    private final NavigableMap<Integer, TierPool> tiers = new TreeMap<>();
    private final TreeWalker tree;

    /** For each award with a limit per user, how often one user can win it. */
    private final SortedMap<Integer, Integer> maxPerUser = new TreeMap<>();

    /** For each award that costs something, the most that one win can cost, in the smallest units of budgets. */
    private final SortedMap<Integer, Long> mostCosts = new TreeMap<>();

    private record TierPool(Tier tier, AwardPool pool) {}

    private CompiledStrategy(StrategyId strategyId, int version, StrategyDefinition definition) {
        this.strategyId = strategyId;
        this.version = version;
        this.definition = definition;
        this.awards =
                definition.awards().stream().collect(Collectors.toMap(AwardDefinition::awardId, Function.identity()));
        Integer fallbackId = definition.fallback();
        this.fallback = fallbackId == null ? null : awards.get(fallbackId);
        Blacklist blacklist = definition.blacklist();
        this.blacklisted = blacklist == null ? Set.of() : new HashSet<>(blacklist.users());
        this.whole = AwardPool.whole(definition.awards());
        for (AwardDefinition award : definition.awards()) {
            if (award.maxPerUser() != null) {
                maxPerUser.put(award.awardId(), award.maxPerUser());
            }
            AmountRange range = award.amount();
            long mostCost = Budget.units(award.costOf(range == null ? null : range.max()));
            if (mostCost > 0) {
                mostCosts.put(award.awardId(), mostCost);
            }
        }
        for (Tier tier : definition.tiers()) {
            tiers.put(
                    tier.from(),
                    new TierPool(
                            tier,
                            AwardPool.among(
                                    tier.awardIds().stream().map(this::award).toList())));
        }
        this.tree = TreeWalker.of(AwardTreeRules.of(definition));
    }

    /** Builds the rules from a definition without findings. */
    public static CompiledStrategy assemble(StrategyId strategyId, int version, StrategyDefinition definition) {
        return new CompiledStrategy(strategyId, version, definition);
    }

    public StrategyId strategyId() {
        return strategyId;
    }

    public int version() {
        return version;
    }

    public StrategyDefinition definition() {
        return definition;
    }

    /** Returns the most that a win can cost, in the smallest units of budgets, for each award that costs something. */
    public SortedMap<Integer, Long> mostCosts() {
        return Collections.unmodifiableSortedMap(mostCosts);
    }

    /** Returns the most that any draw can cost. */
    public long mostCost() {
        return mostCosts.values().stream().mapToLong(Long::longValue).max().orElse(0);
    }

    /** Returns whether any award has a limit per user. */
    public boolean hasLimitsPerUser() {
        return !maxPerUser.isEmpty();
    }

    public boolean isLimitedPerUser(int awardId) {
        return maxPerUser.containsKey(awardId);
    }

    /**
     * Returns the awards whose limit the user has reached, in ascending order.
     *
     * @param wins how often the user has won each award with such a limit
     */
    public List<Integer> reached(Map<Integer, Integer> wins) {
        if (maxPerUser.isEmpty() || wins.isEmpty()) {
            return List.of();
        }
        return maxPerUser.entrySet().stream()
                .filter(limit -> wins.getOrDefault(limit.getKey(), 0) >= limit.getValue())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Returns those of the given awards that this version has, in ascending order. */
    public List<Integer> known(SortedSet<Integer> awardIds) {
        return awardIds.isEmpty()
                ? List.of()
                : awardIds.stream().filter(awards::containsKey).toList();
    }

    public DrawDecision decide(DrawSituation situation, DrawRandomness lot) {
        return decide(situation, lot, DrawReasonCollector.NONE);
    }

    /** Returns the reasons for the outcome of a draw in this situation, with this randomness. */
    public List<DrawReason> explain(DrawSituation situation, DrawRandomness lot) {
        List<DrawReason> reasons = new ArrayList<>();
        decide(situation, lot, reason -> reasons.add(reason.get()));
        return reasons;
    }

    private DrawDecision decide(DrawSituation situation, DrawRandomness lot, DrawReasonCollector reasonCollector) {
        Blacklist blacklist = definition.blacklist();
        if (blacklist != null && blacklisted.contains(situation.userId())) {
            reasonCollector.note(() -> new Blacklisted(blacklist.awardId()));
            // The award of the blacklist has no limit, so it is unavailable only while it is held or over the budget.
            return situation.soldOut().contains(blacklist.awardId())
                    ? fallBack(situation, lot.without(NONE), reasonCollector)
                    : won(award(blacklist.awardId()), lot.without(NONE), reasonCollector);
        }
        AwardPool pool = pool(situation.drawsBefore() + 1, reasonCollector);
        SortedSet<Integer> leftOut = leftOut(pool, situation.soldOut(), reasonCollector);
        RandomStream random = lot.without(leftOut);
        AwardPick pick = pool.pick(leftOut, random, reasonCollector);
        AwardDefinition picked = pick.award();
        if (picked != null) {
            return throughTree(picked, situation, random, reasonCollector);
        }
        return pick.isNoneLeft() ? fallBack(situation, random, reasonCollector) : DrawDecision.NOTHING;
    }

    private AwardPool pool(int draw, DrawReasonCollector reasonCollector) {
        if (tiers.isEmpty()) {
            return whole;
        }
        Entry<Integer, TierPool> reached = tiers.floorEntry(draw);
        if (reached == null || (definition.tierMode() == TierMode.EXACT && reached.getKey() != draw)) {
            return whole;
        }
        TierPool tierPool = reached.getValue();
        reasonCollector.note(() ->
                new TierReached(draw, tierPool.tier().from(), tierPool.tier().awardIds()));
        return tierPool.pool();
    }

    private SortedSet<Integer> leftOut(AwardPool pool, Set<Integer> soldOut, DrawReasonCollector reasonCollector) {
        if (soldOut.isEmpty() || definition.mode() == Mode.SINGLE) {
            return NONE;
        }
        SortedSet<Integer> leftOut = pool.of(soldOut);
        if (!leftOut.isEmpty()) {
            reasonCollector.note(() -> new LeftOut(List.copyOf(leftOut)));
        }
        return leftOut;
    }

    private DrawDecision throughTree(
            AwardDefinition picked, DrawSituation situation, RandomStream random, DrawReasonCollector reasonCollector) {
        String result = tree.decide(
                        matter -> AwardTreeRules.valueOf(matter, picked, situation),
                        tierPool -> reasonCollector.note(
                                () -> new Looked(tierPool.node(), tierPool.matter(), tierPool.value(), tierPool.to())))
                .orElse(AwardTreeRules.FALLBACK);
        return switch (result) {
            // An award that is locked or sold out is never won, even if the lines of the tree do not check that.
            case AwardTreeRules.WIN ->
                AwardTreeRules.isToBeHad(picked, situation)
                        ? won(picked, random, reasonCollector)
                        : fallBack(situation, random, reasonCollector);
            case AwardTreeRules.FALLBACK -> fallBack(situation, random, reasonCollector);
            default -> nothing(reasonCollector);
        };
    }

    /**
     * Returns the substitute for a won award that cannot be handed over. The substitute is the fallback, and its amount
     * follows from the randomness of the draw. If the award is the fallback itself, nothing is given.
     */
    public DrawDecision instead(int awardId, DrawRandomness lot) {
        boolean isItself = fallback != null && fallback.awardId() == awardId;
        return isItself ? DrawDecision.NOTHING : fallBack(lot.without(List.of(awardId)), DrawReasonCollector.NONE);
    }

    /** Draws an amount with the next random number. */
    public static BigDecimal amount(AmountRange range, RandomStream random) {
        return AmountPicker.drawn(range, random);
    }

    private DrawDecision won(AwardDefinition award, RandomStream random, DrawReasonCollector reasonCollector) {
        reasonCollector.note(() -> new Won(award.awardId()));
        return new DrawDecision(Outcome.WON, award, amountOf(award, random, reasonCollector));
    }

    /**
     * Returns the fallback, or nothing while the fallback is held or over the budget. It has no limit, so it is never
     * sold out.
     */
    private DrawDecision fallBack(DrawSituation situation, RandomStream random, DrawReasonCollector reasonCollector) {
        return fallback != null && situation.soldOut().contains(fallback.awardId())
                ? nothing(reasonCollector)
                : fallBack(random, reasonCollector);
    }

    private DrawDecision fallBack(RandomStream random, DrawReasonCollector reasonCollector) {
        AwardDefinition lucky = fallback;
        if (lucky == null) {
            return nothing(reasonCollector);
        }
        reasonCollector.note(() -> new FallenBack(lucky.awardId()));
        return new DrawDecision(Outcome.FALLBACK, lucky, amountOf(lucky, random, reasonCollector));
    }

    private static DrawDecision nothing(DrawReasonCollector reasonCollector) {
        reasonCollector.note(EndedInNothing::new);
        return DrawDecision.NOTHING;
    }

    private static @Nullable BigDecimal amountOf(
            AwardDefinition award, RandomStream random, DrawReasonCollector reasonCollector) {
        AmountRange range = award.amount();
        if (range == null) {
            return null;
        }
        BigDecimal amount = AmountPicker.drawn(range, random);
        reasonCollector.note(() -> new AmountDrawn(amount, range.min(), range.max()));
        return amount;
    }

    private AwardDefinition award(int awardId) {
        AwardDefinition award = awards.get(awardId);
        if (award == null) {
            throw new IllegalArgumentException("%s has no award %d".formatted(strategyId, awardId));
        }
        return award;
    }
}
