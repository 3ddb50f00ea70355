package lottery.rule;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import lottery.api.UserId;
import lottery.api.strategy.AmountRange;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.Blacklist;
import lottery.api.strategy.GrantTime;
import lottery.api.strategy.Remedy;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyDefinition.Mode;
import lottery.api.strategy.StrategyDefinition.TierMode;
import lottery.api.strategy.StrategyId;
import lottery.api.strategy.Tier;
import lottery.api.tree.TreeDefinition;
import org.jspecify.annotations.Nullable;

/** Builds a strategy for a test in a few words. */
public final class Described {

    public static final StrategyId STRATEGY = new StrategyId(7);

    private final Mode mode;
    private final List<AwardDefinition> awards = new ArrayList<>();
    private final List<Tier> tiers = new ArrayList<>();
    private TierMode tierMode = TierMode.FLOOR;
    private boolean ratesAddUpToOne;
    private @Nullable Integer fallback;
    private @Nullable Blacklist blacklist;
    private @Nullable TreeDefinition tree;

    private Described(Mode mode) {
        this.mode = mode;
    }

    public static Described in(Mode mode) {
        return new Described(mode);
    }

    public static Described single() {
        return in(Mode.SINGLE);
    }

    public static Described overall() {
        return in(Mode.OVERALL);
    }

    public Described award(int awardId, String rate) {
        return award(awardId, rate, UnaryOperator.identity());
    }

    public Described limited(int awardId, String rate, int stock) {
        return award(awardId, rate, award -> with(award, null, stock, 0));
    }

    public Described locked(int awardId, String rate, int untilDraws) {
        return award(awardId, rate, award -> with(award, null, null, untilDraws));
    }

    public Described varying(int awardId, String rate, String min, String max) {
        return award(
                awardId,
                rate,
                award -> with(award, new AmountRange(new BigDecimal(min), new BigDecimal(max)), null, 0));
    }

    /** @param config may give the number of credits */
    Described credits(int awardId, String rate, Map<String, String> config) {
        awards.add(new AwardDefinition(
                awardId,
                "Award " + awardId,
                null,
                AwardType.CREDIT,
                config,
                null,
                new BigDecimal(rate),
                null,
                awardId,
                0,
                GrantTime.AT_ONCE,
                Remedy.MANUAL,
                null,
                null));
        return this;
    }

    /** Adds a COUPON with this config. */
    public Described coupon(int awardId, String rate, Map<String, String> config) {
        return typed(AwardType.COUPON, awardId, rate, config);
    }

    /** Adds a PHYSICAL award with this config. */
    public Described physical(int awardId, String rate, Map<String, String> config) {
        return typed(AwardType.PHYSICAL, awardId, rate, config);
    }

    private Described typed(AwardType type, int awardId, String rate, Map<String, String> config) {
        return award(
                awardId,
                rate,
                award -> new AwardDefinition(
                        award.awardId(),
                        award.title(),
                        award.subtitle(),
                        type,
                        config,
                        award.amount(),
                        award.rate(),
                        award.stock(),
                        award.sort(),
                        award.lockedUntilDraws(),
                        award.grant(),
                        award.onFailure(),
                        award.cost(),
                        award.maxPerUser()));
    }

    /** Lets one user win the award that was added last only so often. */
    public Described perUser(int times) {
        AwardDefinition award = awards.removeLast();
        return changed(award, award.cost(), times);
    }

    /** Sets the cost of the award that was added last. */
    public Described costing(String cost) {
        AwardDefinition award = awards.removeLast();
        return changed(award, new BigDecimal(cost), award.maxPerUser());
    }

    private Described changed(AwardDefinition award, @Nullable BigDecimal cost, @Nullable Integer maxPerUser) {
        awards.add(new AwardDefinition(
                award.awardId(),
                award.title(),
                award.subtitle(),
                award.type(),
                award.config(),
                award.amount(),
                award.rate(),
                award.stock(),
                award.sort(),
                award.lockedUntilDraws(),
                award.grant(),
                award.onFailure(),
                cost,
                maxPerUser));
        return this;
    }

    public Described award(int awardId, String rate, UnaryOperator<AwardDefinition> change) {
        awards.add(change.apply(new AwardDefinition(
                awardId,
                "Award " + awardId,
                null,
                AwardType.TEXT,
                Map.of("text", "Here it is"),
                null,
                new BigDecimal(rate),
                null,
                awardId,
                0,
                GrantTime.AT_ONCE,
                Remedy.MANUAL,
                null,
                null)));
        return this;
    }

    private static AwardDefinition with(
            AwardDefinition award, @Nullable AmountRange amount, @Nullable Integer stock, int lockedUntilDraws) {
        return new AwardDefinition(
                award.awardId(),
                award.title(),
                award.subtitle(),
                award.type(),
                award.config(),
                amount,
                award.rate(),
                stock,
                award.sort(),
                lockedUntilDraws,
                award.grant(),
                award.onFailure(),
                award.cost(),
                award.maxPerUser());
    }

    public Described demandingOne() {
        ratesAddUpToOne = true;
        return this;
    }

    public Described fallback(int awardId) {
        fallback = awardId;
        return this;
    }

    public Described blacklist(int awardId, String... users) {
        blacklist = new Blacklist(List.of(users).stream().map(UserId::new).toList(), awardId);
        return this;
    }

    public Described tier(int from, Integer... awardIds) {
        tiers.add(new Tier(from, List.of(awardIds)));
        return this;
    }

    public Described exactly() {
        tierMode = TierMode.EXACT;
        return this;
    }

    public Described tree(TreeDefinition definition) {
        tree = definition;
        return this;
    }

    public StrategyDefinition definition() {
        return new StrategyDefinition(mode, awards, ratesAddUpToOne, fallback, blacklist, tierMode, tiers, tree);
    }

    public CompiledStrategy rules() {
        return CompiledStrategy.assemble(STRATEGY, 1, definition());
    }
}
