package lottery.rule;

import java.util.List;
import java.util.Set;
import lottery.api.Finding;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.tree.TreeDefinition;
import lottery.api.tree.TreeDefinition.Comparison;
import lottery.api.tree.TreeDefinition.Kind;
import lottery.api.tree.TreeDefinition.Line;
import lottery.api.tree.TreeDefinition.Node;
import org.jspecify.annotations.Nullable;

/**
 * What happens to an award after it was picked, as a tree: what its nodes may look at, and what its leaves may say. A
 * tree that fits no line gives the fallback.
 */
final class AwardTree {

    static final String WIN = "WIN";
    static final String FALLBACK = "FALLBACK";
    static final String NOTHING = "NOTHING";

    static final Set<String> RESULTS = Set.of(WIN, FALLBACK, NOTHING);

    static final String LOCK = "lock";
    static final String OPEN = "open";
    static final String LOCKED = "locked";

    static final String STOCK = "stock";
    static final String LEFT = "left";
    static final String SOLD_OUT = "soldOut";

    static final String AWARD = "award";
    static final String DRAWS_BEFORE = "drawsBefore";
    static final String DRAWS_BEFORE_TODAY = "drawsBeforeToday";

    static final Set<String> MATTERS = Set.of(LOCK, STOCK, AWARD, DRAWS_BEFORE, DRAWS_BEFORE_TODAY);

    private static final TreeDefinition USUAL = new TreeDefinition(
            LOCK,
            List.of(
                    new Node(LOCK, LOCK, Kind.TEXT, null),
                    new Node(STOCK, STOCK, Kind.TEXT, null),
                    new Node("win", null, null, WIN),
                    new Node("fallback", null, null, FALLBACK)),
            List.of(
                    new Line(LOCK, STOCK, Comparison.EQUAL, List.of(OPEN)),
                    new Line(LOCK, "fallback", Comparison.EQUAL, List.of(LOCKED)),
                    new Line(STOCK, "win", Comparison.EQUAL, List.of(LEFT)),
                    new Line(STOCK, "fallback", Comparison.EQUAL, List.of(SOLD_OUT))));

    private AwardTree() {}

    static TreeDefinition of(StrategyDefinition definition) {
        TreeDefinition own = definition.tree();
        return own == null ? USUAL : own;
    }

    static List<Finding> findings(StrategyDefinition definition) {
        return List.of();
    }

    static boolean isToBeHad(AwardDefinition award, Situation situation) {
        return isOpen(award, situation) && isLeft(award, situation);
    }

    /** The display counts alike: an award is open once so many draws were made on the same day before. */
    private static boolean isOpen(AwardDefinition award, Situation situation) {
        return award.lockedUntilDraws() <= situation.drawsBeforeToday();
    }

    private static boolean isLeft(AwardDefinition award, Situation situation) {
        return !situation.soldOut().contains(award.awardId());
    }

    static @Nullable String valueOf(String matter, AwardDefinition picked, Situation situation) {
        return switch (matter) {
            case LOCK -> isOpen(picked, situation) ? OPEN : LOCKED;
            case STOCK -> isLeft(picked, situation) ? LEFT : SOLD_OUT;
            case AWARD -> Integer.toString(picked.awardId());
            case DRAWS_BEFORE -> Integer.toString(situation.drawsBefore());
            case DRAWS_BEFORE_TODAY -> Integer.toString(situation.drawsBeforeToday());
            default -> null;
        };
    }
}
