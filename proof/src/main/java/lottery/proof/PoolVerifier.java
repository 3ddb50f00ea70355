package lottery.proof;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import lottery.api.activity.RoundCommitment;
import lottery.api.pool.PoolEvent.PoolFrozen;
import lottery.api.pool.PoolEvent.PoolOrdered;
import lottery.api.pool.PoolWin;
import lottery.api.strategy.AwardDefinition;
import lottery.fairness.DrandChain;
import lottery.pool.EntryTree;
import lottery.pool.PoolAwardPlaces;
import lottery.pool.PoolDrawOrder;
import lottery.pool.PoolShuffleKey;
import lottery.proof.Difference.DifferenceMatter;
import lottery.rule.CompiledStrategy;
import org.jspecify.annotations.Nullable;

/**
 * Draws a pool again: first all entries in the order of their numbers, then all wins in the order of their places. It
 * keeps some 80 bytes for each entry.
 */
final class PoolVerifier {

    private static final int DIFFERENCES_MAX = 100;
    private static final String NONE = "none";

    private final PoolFrozen frozen;
    private final @Nullable PoolOrdered ordered;
    private final DrawVerifier verifier;
    private final List<Difference> differences = new ArrayList<>();
    private final List<byte[]> chunk = new ArrayList<>();
    private final List<byte[]> roots = new ArrayList<>();
    private final byte[] leaves;
    private int entries;
    private int wins;
    private int @Nullable [] ranked;

    PoolVerifier(PoolFrozen frozen, @Nullable PoolOrdered ordered, DrawVerifier verifier) {
        this.frozen = frozen;
        this.ordered = ordered;
        this.verifier = verifier;
        this.leaves = new byte[Math.multiplyExact(Math.max(0, frozen.entries()), EntryTree.HASH)];
    }

    /** Adds the next entry. An entry beyond the stated number of entries counts as a difference. */
    void entry(int entryNo, String orderId) {
        entries++;
        if (entryNo != entries || entries > frozen.entries()) {
            differs(DifferenceMatter.POOL_ROOT, "entry " + entryNo, "entry " + entries + " of " + frozen.entries());
            return;
        }
        byte[] leaf = EntryTree.leaf(frozen.activityId(), entryNo, orderId);
        System.arraycopy(leaf, 0, leaves, (entryNo - 1) * EntryTree.HASH, EntryTree.HASH);
        chunk.add(leaf);
        if (chunk.size() == EntryTree.CHUNK) {
            roots.add(EntryTree.root(chunk));
            chunk.clear();
        }
    }

    /** Adds the next win. The wins of reserves come after all other wins. */
    void win(PoolWin win) {
        wins++;
        if (ranked == null) {
            ranked = order();
        }
        int expected = wins <= ranked.length ? ranked[wins - 1] : 0;
        if (win.place() != wins || win.entryNo() != expected || !isEntry(win)) {
            differs(
                    DifferenceMatter.PLACE,
                    "entry %d, %s, at place %d".formatted(win.entryNo(), win.orderId(), win.place()),
                    "entry %d at place %d".formatted(expected, wins));
            return;
        }
        award(win);
    }

    private boolean isEntry(PoolWin win) {
        int offset = (win.entryNo() - 1) * EntryTree.HASH;
        byte[] leaf =
                EntryTree.leaf(frozen.activityId(), win.entryNo(), win.orderId().text());
        return Arrays.equals(leaves, offset, offset + EntryTree.HASH, leaf, 0, EntryTree.HASH);
    }

    private void award(PoolWin win) {
        CompiledStrategy rules = rules();
        if (rules == null || ordered == null) {
            return;
        }
        PoolAwardPlaces awards = new PoolAwardPlaces(rules.definition());
        // A reserve wins an award that another entry does not get. The wins do not say which entry that is, so any
        // award that has places is accepted here.
        AwardDefinition award =
                (win.place() <= ordered.winners() ? awards.at(win.place()) : awards.award(win.awardId())).orElse(null);
        if (award == null || award.awardId() != win.awardId()) {
            differs(
                    DifferenceMatter.AWARD,
                    "%d at place %d".formatted(win.awardId(), win.place()),
                    award == null ? NONE : Integer.toString(award.awardId()));
        } else {
            String again = text(PoolAwardPlaces.amountOf(award, new PoolShuffleKey(ordered.drawKey()), win.orderId()));
            if (!again.equals(text(win.amount()))) {
                differs(DifferenceMatter.AMOUNT, "%s at place %d".formatted(text(win.amount()), win.place()), again);
            }
        }
    }

    private static String text(@Nullable BigDecimal amount) {
        return amount == null ? NONE : amount.toPlainString();
    }

    private @Nullable CompiledStrategy rules() {
        return verifier.rules(frozen.strategyId(), frozen.strategyVersion());
    }

    private int[] order() {
        if (ordered == null || entries != frozen.entries()) {
            return new int[0];
        }
        PoolDrawOrder order = new PoolDrawOrder(frozen.entries(), new PoolShuffleKey(ordered.drawKey()));
        for (int i = 0; i < frozen.entries(); i++) {
            order.add(leaves, i * EntryTree.HASH);
        }
        return order.sorted();
    }

    /**
     * Returns the result. It is called after the last win.
     *
     * @param isDrawn whether all wins must have been added
     */
    PoolVerdict verdict(boolean isDrawn) {
        if (!chunk.isEmpty()) {
            roots.add(EntryTree.root(chunk));
            chunk.clear();
        }
        String root = HexFormat.of().formatHex(EntryTree.root(roots));
        if (entries != frozen.entries() || !root.equals(frozen.root())) {
            differs(
                    DifferenceMatter.POOL_ROOT,
                    "%s over %d".formatted(frozen.root(), frozen.entries()),
                    "%s over %d".formatted(root, entries));
        }
        version();
        boolean unseeded = verifier.seed(frozen.round()).isEmpty();
        PoolOrdered certain = ordered;
        if (certain != null) {
            key(certain);
            winners(certain, isDrawn);
        }
        return new PoolVerdict(entries, wins, unseeded, differences);
    }

    private void version() {
        RoundCommitment roundCommitment = verifier.roundCommitment(frozen.round());
        if (roundCommitment == null) {
            differs(DifferenceMatter.ROUND, Integer.toString(frozen.round()), NONE);
        } else {
            verifier.commitment(frozen.round(), frozen.strategyId(), frozen.strategyVersion())
                    .ifPresent(this::differs);
        }
        if (rules() == null) {
            differs(
                    DifferenceMatter.STRATEGY_VERSION,
                    "%s (%d)".formatted(frozen.strategyId(), frozen.strategyVersion()),
                    NONE);
        }
        verifier.seedDifference(frozen.round()).ifPresent(this::differs);
    }

    private void key(PoolOrdered certain) {
        if (DrandChain.isNameOfChain(frozen.beacon())
                && DrandChain.named(frozen.beacon()).isEmpty()) {
            differs(DifferenceMatter.BEACON_VALUE, frozen.beacon(), NONE);
        }
        DrandChain.named(frozen.beacon()).ifPresent(chain -> {
            String round = Long.toString(chain.roundAt(frozen.drawAt()));
            if (!frozen.beaconRound().equals(round)) {
                differs(DifferenceMatter.BEACON_VALUE, frozen.beaconRound(), round);
            } else if (!chain.isSigned(round, certain.beaconValue())) {
                differs(DifferenceMatter.BEACON_VALUE, certain.beaconValue(), "signed");
            }
        });
        verifier.seed(frozen.round())
                .map(seed ->
                        PoolShuffleKey.of(seed, frozen, certain.beaconValue()).hex())
                .filter(key -> !key.equals(certain.drawKey()))
                .ifPresent(key -> differs(DifferenceMatter.DRAW_KEY, certain.drawKey(), key));
    }

    private void winners(PoolOrdered certain, boolean isDrawn) {
        CompiledStrategy rules = rules();
        int winners = rules == null
                ? certain.winners()
                : new PoolAwardPlaces(rules.definition()).winnersAmong(frozen.entries());
        if (certain.winners() != winners || (isDrawn && wins < winners) || wins > winners + certain.reserves()) {
            differs(
                    DifferenceMatter.PLACE,
                    "%d winners, %d wins".formatted(certain.winners(), wins),
                    winners + " winners");
        }
    }

    private void differs(DifferenceMatter matter, String recorded, String recomputed) {
        differs(new Difference(matter, recorded, recomputed));
    }

    private void differs(Difference difference) {
        if (differences.size() < DIFFERENCES_MAX) {
            differences.add(difference);
        }
    }
}
