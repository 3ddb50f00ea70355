package lottery.rule;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import lottery.api.UserId;
import lottery.api.strategy.AmountRange;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.AwardDefinitionBuilder;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.Blacklist;
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
        return award(awardId, rate, award -> award.stock(stock));
    }

    public Described locked(int awardId, String rate, int untilDraws) {
        return award(awardId, rate, award -> award.lockedUntilDraws(untilDraws));
    }

    public Described varying(int awardId, String rate, String min, String max) {
        return award(awardId, rate, award -> award.amount(new AmountRange(new BigDecimal(min), new BigDecimal(max))));
    }

    /** Adds an award of another type than TEXT, with this config. */
    public Described typed(AwardType type, int awardId, String rate, Map<String, String> config) {
        return award(awardId, rate, award -> award.type(type).config(config));
    }

    /** Lets one user win the award that was added last only so often. */
    public Described perUser(int times) {
        awards.add(awards.removeLast().but().maxPerUser(times).build());
        return this;
    }

    /** Sets the cost of the award that was added last. */
    public Described costing(String cost) {
        awards.add(awards.removeLast().but().cost(new BigDecimal(cost)).build());
        return this;
    }

    public Described award(int awardId, String rate, UnaryOperator<AwardDefinitionBuilder> change) {
        awards.add(change.apply(AwardDefinition.of(awardId, "Award " + awardId, AwardType.TEXT, new BigDecimal(rate))
                        .config(Map.of("text", "Here it is")))
                .build());
        return this;
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
