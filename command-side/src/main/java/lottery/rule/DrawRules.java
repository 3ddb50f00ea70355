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
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import lottery.api.UserId;
import lottery.api.raffle.Outcome;
import lottery.api.strategy.AmountRange;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.Blacklist;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyDefinition.Mode;
import lottery.api.strategy.StrategyDefinition.TierMode;
import lottery.api.strategy.StrategyId;
import lottery.api.strategy.Tier;
import lottery.rule.Reason.AmountDrawn;
import lottery.rule.Reason.Blacklisted;
import lottery.rule.Reason.EndedInNothing;
import lottery.rule.Reason.FallenBack;
import lottery.rule.Reason.LeftOut;
import lottery.rule.Reason.Looked;
import lottery.rule.Reason.TierReached;
import lottery.rule.Reason.Won;
import lottery.tree.Tree;
import org.jspecify.annotations.Nullable;

/**
 * One version of a strategy, ready to draw from. Deciding is a pure function: whoever repeats it finds the same.
 *
 * <p>The first of these that applies says what an award is picked from: the blacklist, the tier that the user has
 * reached, the whole table. What was picked goes through the tree, which may keep it, give the fallback for it, or
 * nothing.
 */
public final class DrawRules {

    private static final SortedSet<Integer> NONE = Collections.emptySortedSet();

    private final StrategyId strategyId;
    private final int version;
    private final StrategyDefinition definition;
    private final Map<Integer, AwardDefinition> awards;
    private final @Nullable AwardDefinition fallback;
    private final Set<UserId> blacklisted;
    private final Pool whole;
    private final NavigableMap<Integer, Step> tiers = new TreeMap<>();
    private final Tree tree;

    private record Step(Tier tier, Pool pool) {}

    private DrawRules(StrategyId strategyId, int version, StrategyDefinition definition) {
        this.strategyId = strategyId;
        this.version = version;
        this.definition = definition;
        this.awards =
                definition.awards().stream().collect(Collectors.toMap(AwardDefinition::awardId, Function.identity()));
        Integer fallbackId = definition.fallback();
        this.fallback = fallbackId == null ? null : awards.get(fallbackId);
        Blacklist blacklist = definition.blacklist();
        this.blacklisted = blacklist == null ? Set.of() : new HashSet<>(blacklist.users());
        this.whole = Pool.whole(definition.awards());
        for (Tier tier : definition.tiers()) {
            tiers.put(
                    tier.from(),
                    new Step(
                            tier,
                            Pool.among(tier.awardIds().stream().map(this::award).toList())));
        }
        this.tree = Tree.of(AwardTree.of(definition));
    }

    /** Of a definition without flaws. */
    public static DrawRules assemble(StrategyId strategyId, int version, StrategyDefinition definition) {
        return new DrawRules(strategyId, version, definition);
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

    public Decision decide(Situation situation, Lot lot) {
        return decide(situation, lot, Trace.NONE);
    }

    /** Why a draw in this situation, with this lot, comes to what it comes to. */
    public List<Reason> explain(Situation situation, Lot lot) {
        List<Reason> reasons = new ArrayList<>();
        decide(situation, lot, reason -> reasons.add(reason.get()));
        return reasons;
    }

    private Decision decide(Situation situation, Lot lot, Trace trace) {
        Blacklist blacklist = definition.blacklist();
        if (blacklist != null && blacklisted.contains(situation.userId())) {
            trace.note(() -> new Blacklisted(blacklist.awardId()));
            return won(award(blacklist.awardId()), lot.without(NONE), trace);
        }
        Pool pool = pool(situation.drawsBefore() + 1, trace);
        SortedSet<Integer> leftOut = leftOut(pool, situation.soldOut(), trace);
        Chance chance = lot.without(leftOut);
        Pick pick = pool.pick(leftOut, chance, trace);
        AwardDefinition picked = pick.award();
        if (picked != null) {
            return throughTree(picked, situation, chance, trace);
        }
        return pick.isNoneLeft() ? fallBack(chance, trace) : Decision.NOTHING;
    }

    private Pool pool(int draw, Trace trace) {
        if (tiers.isEmpty()) {
            return whole;
        }
        Entry<Integer, Step> reached = tiers.floorEntry(draw);
        if (reached == null || (definition.tierMode() == TierMode.EXACT && reached.getKey() != draw)) {
            return whole;
        }
        Step step = reached.getValue();
        trace.note(() -> new TierReached(draw, step.tier().from(), step.tier().awardIds()));
        return step.pool();
    }

    private SortedSet<Integer> leftOut(Pool pool, Set<Integer> soldOut, Trace trace) {
        if (soldOut.isEmpty() || definition.mode() == Mode.SINGLE) {
            return NONE;
        }
        SortedSet<Integer> leftOut = pool.of(soldOut);
        if (!leftOut.isEmpty()) {
            trace.note(() -> new LeftOut(List.copyOf(leftOut)));
        }
        return leftOut;
    }

    private Decision throughTree(AwardDefinition picked, Situation situation, Chance chance, Trace trace) {
        String result = tree.decide(
                        matter -> AwardTree.valueOf(matter, picked, situation),
                        step -> trace.note(() -> new Looked(step.node(), step.matter(), step.value(), step.to())))
                .orElse(AwardTree.FALLBACK);
        return switch (result) {
            // No tree gives what is locked or sold out, whatever its lines leave out.
            case AwardTree.WIN ->
                AwardTree.isToBeHad(picked, situation) ? won(picked, chance, trace) : fallBack(chance, trace);
            case AwardTree.FALLBACK -> fallBack(chance, trace);
            default -> nothing(trace);
        };
    }

    /** What stands in for an award that was won and cannot be handed over, by the draw's own lot. */
    public Decision instead(int awardId, Lot lot) {
        boolean isItself = fallback != null && fallback.awardId() == awardId;
        return isItself ? Decision.NOTHING : fallBack(lot.without(List.of(awardId)), Trace.NONE);
    }

    private Decision won(AwardDefinition award, Chance chance, Trace trace) {
        trace.note(() -> new Won(award.awardId()));
        return new Decision(Outcome.WON, award, amountOf(award, chance, trace));
    }

    private Decision fallBack(Chance chance, Trace trace) {
        AwardDefinition lucky = fallback;
        if (lucky == null) {
            return nothing(trace);
        }
        trace.note(() -> new FallenBack(lucky.awardId()));
        return new Decision(Outcome.FALLBACK, lucky, amountOf(lucky, chance, trace));
    }

    private static Decision nothing(Trace trace) {
        trace.note(EndedInNothing::new);
        return Decision.NOTHING;
    }

    private static @Nullable BigDecimal amountOf(AwardDefinition award, Chance chance, Trace trace) {
        AmountRange range = award.amount();
        if (range == null) {
            return null;
        }
        BigDecimal amount = Amounts.drawn(range, chance);
        trace.note(() -> new AmountDrawn(amount, range.min(), range.max()));
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
