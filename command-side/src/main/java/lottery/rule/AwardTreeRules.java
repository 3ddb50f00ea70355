package lottery.rule;

import static lottery.api.SubmissionFlaw.FlawKind.AWARD_NEVER_WON;
import static lottery.api.SubmissionFlaw.FlawKind.MATTER_UNKNOWN;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import lottery.api.SubmissionFlaw;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.tree.Comparison;
import lottery.api.tree.Line;
import lottery.api.tree.Node;
import lottery.api.tree.NodeValueType;
import lottery.api.tree.TreeDefinition;
import lottery.tree.TreeDefinitionValidator;
import lottery.tree.TreeWalker;
import org.jspecify.annotations.Nullable;

/**
 * The tree that decides about an award after it was picked. This class defines the matters that a node can look at,
 * such as the stock, and the results of the leaves. If no line fits, the fallback is given.
 */
final class AwardTreeRules {

    static final String WIN = "WIN";
    static final String FALLBACK = "FALLBACK";
    static final String NOTHING = "NOTHING";

    static final Set<String> RESULTS = Set.of(WIN, FALLBACK, NOTHING);

    private static final String POINTER = "/tree";

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
                    new Node(LOCK, LOCK, NodeValueType.TEXT, null),
                    new Node(STOCK, STOCK, NodeValueType.TEXT, null),
                    new Node("win", null, null, WIN),
                    new Node("fallback", null, null, FALLBACK)),
            List.of(
                    new Line(LOCK, STOCK, Comparison.EQUAL, List.of(OPEN)),
                    new Line(LOCK, "fallback", Comparison.EQUAL, List.of(LOCKED)),
                    new Line(STOCK, "win", Comparison.EQUAL, List.of(LEFT)),
                    new Line(STOCK, "fallback", Comparison.EQUAL, List.of(SOLD_OUT))));

    private AwardTreeRules() {}

    static TreeDefinition of(StrategyDefinition definition) {
        TreeDefinition own = definition.tree();
        return own == null ? USUAL : own;
    }

    static List<SubmissionFlaw> findings(StrategyDefinition definition) {
        TreeDefinition tree = of(definition);
        List<SubmissionFlaw> findings =
                new ArrayList<>(TreeDefinitionValidator.findings(tree, POINTER, RESULTS::contains));
        for (int i = 0; i < tree.nodes().size(); i++) {
            String matter = tree.nodes().get(i).matter();
            if (matter != null && !MATTERS.contains(matter)) {
                findings.add(new SubmissionFlaw(POINTER + "/nodes/" + i + "/matter", MATTER_UNKNOWN, matter));
            }
        }
        if (findings.isEmpty()) {
            neverWon(definition, TreeWalker.of(tree), findings);
        }
        return findings;
    }

    /**
     * Adds a finding for each award that cannot be won even if it is unlocked and in stock. In this case the tree has a
     * mistake.
     */
    private static void neverWon(StrategyDefinition definition, TreeWalker tree, List<SubmissionFlaw> findings) {
        for (int i = 0; i < definition.awards().size(); i++) {
            int awardId = definition.awards().get(i).awardId();
            if (!tree.results(matter -> atBest(matter, awardId)).contains(WIN)) {
                findings.add(
                        new SubmissionFlaw("/awards/" + i + "/awardId", AWARD_NEVER_WON, Integer.toString(awardId)));
            }
        }
    }

    private static @Nullable String atBest(String matter, int awardId) {
        return switch (matter) {
            case LOCK -> OPEN;
            case STOCK -> LEFT;
            case AWARD -> Integer.toString(awardId);
            default -> null;
        };
    }

    static boolean isToBeHad(AwardDefinition award, DrawSituation situation) {
        return isOpen(award, situation) && isLeft(award, situation);
    }

    /**
     * Returns whether the award is unlocked: the user has made enough draws earlier on the same day. The display of
     * locks on the wheel counts in the same way.
     */
    private static boolean isOpen(AwardDefinition award, DrawSituation situation) {
        return award.lockedUntilDraws() <= situation.drawsBeforeToday();
    }

    private static boolean isLeft(AwardDefinition award, DrawSituation situation) {
        return !situation.soldOut().contains(award.awardId());
    }

    static @Nullable String valueOf(String matter, AwardDefinition picked, DrawSituation situation) {
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
