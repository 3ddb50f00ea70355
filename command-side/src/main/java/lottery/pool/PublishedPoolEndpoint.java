package lottery.pool;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Positive;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import lottery.activity.ActivityCache;
import lottery.activity.ActivityProgress;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.activity.ActivityId;
import lottery.api.activity.DrawPlan;
import lottery.api.pool.PoolEvent.PoolFrozen;
import lottery.api.pool.PoolEvent.PoolOrdered;
import lottery.api.pool.PoolEvent.ReserveMovedUp;
import lottery.api.pool.PoolState;
import lottery.api.pool.PoolWin;
import lottery.api.strategy.AwardDefinition;
import lottery.pool.EntryProofs.ProvedLeaf;
import lottery.pool.EntryTree.Sibling;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Shows pools over REST: what is in them, how they were drawn, and the proof of an entry. */
@RestController
@Tag(
        name = "Pool",
        description = "Activities that are drawn at one time: the pool, its draw, and the proof of an entry.")
@RequestMapping("/api/v1/activities/{activityId}")
class PublishedPoolEndpoint {

    private static final int WINS_PER_PAGE = 100;

    /**
     * A public random value.
     *
     * @param round the name of the value at its source
     * @param value the value in hex; absent until the draw has used it
     */
    record Beacon(String source, String round, @Nullable String value) {}

    /** A win, and the place that has won. */
    record PlacedWin(int place, int entryNo, int awardId) {}

    /**
     * A reserve that has won.
     *
     * @param insteadOf the number of the entry that does not get the award
     */
    record MovedUp(int place, int entryNo, int awardId, int insteadOf) {

        static MovedUp of(ReserveMovedUp moved) {
            PoolWin win = moved.win();
            return new MovedUp(win.place(), win.entryNo(), win.awardId(), moved.vacatedEntryNo());
        }
    }

    /** @param nextAfter the value of {@code winsAfter} for the next page; absent on the last page */
    record PoolReply(
            ActivityId activityId,
            PoolState state,
            Instant entriesCloseAt,
            Instant drawAt,
            @Nullable Integer entries,
            @Nullable String root,
            @Nullable Integer round,
            @Nullable Integer strategyVersion,
            @Nullable Beacon beacon,
            @Nullable String drawKey,
            @Nullable Integer winners,
            @Nullable Integer reserves,
            @Nullable List<PlacedWin> wins,
            @Nullable List<MovedUp> movedUp,
            @Nullable Integer nextAfter) {}

    /**
     * One step from the leaf to the root.
     *
     * @param side the side on which this hash stands when it is hashed with the result so far
     */
    record ProofStep(SiblingSide side, String hash) {}

    /** The side of a sibling. */
    enum SiblingSide {
        LEFT,
        RIGHT
    }

    /**
     * The proof of an entry.
     *
     * @param leaf the hash of the activity, {@code entryNo} and the order id; the user of the entry knows the order id
     * @param path the steps from the leaf to the root
     * @param drawKey the key of the order of the pool; absent before the draw
     * @param lot the HMAC of the leaf under the draw key
     * @param place the place in the order of all lots, from 1 on
     * @param awardId the award that the entry has won; absent if it has won nothing
     * @param reserve whether the place of the entry is that of a reserve
     */
    record EntryProof(
            ActivityId activityId,
            int entryNo,
            String leaf,
            List<ProofStep> path,
            String root,
            int entries,
            @Nullable String drawKey,
            @Nullable String lot,
            @Nullable Integer place,
            @Nullable Integer awardId,
            @Nullable Boolean reserve) {}

    private final ActivityCache activities;
    private final PoolProgressLogReader pools;
    private final FrozenPoolTable table;
    private final EntryProofs proofs;
    private final PoolDrawExecutor draw;

    PublishedPoolEndpoint(
            ActivityCache activities,
            PoolProgressLogReader pools,
            FrozenPoolTable table,
            EntryProofs proofs,
            PoolDrawExecutor draw) {
        this.activities = activities;
        this.pools = pools;
        this.table = table;
        this.proofs = proofs;
        this.draw = draw;
    }

    @Operation(summary = "Show the pool of an activity", description = """
                    Returns the pool of an activity that is drawn at one time. At first it has the times. When the pool
                    is frozen, shortly after the entries close, it also has the number of entries and their Merkle root.
                    After the draw it also has the wins by place, page by page. Entries have numbers here, and no users.
                    An activity that draws at once refuses the request with DRAW_MODE.""")
    @GetMapping("/pool")
    PoolReply getPool(
            @PathVariable ActivityId activityId,
            @RequestParam(defaultValue = "0") @Min(0) @Max(Integer.MAX_VALUE - WINS_PER_PAGE) int winsAfter) {
        DrawPlan plan = planOf(activityId);
        PoolProgress pool = pools.find(activityId);
        PoolFrozen frozen = pool.frozen();
        PoolOrdered ordered = pool.ordered();
        List<PlacedWin> wins = frozen == null || ordered == null ? null : wins(frozen, ordered, pool, winsAfter);
        int next = winsAfter + (wins == null ? 0 : wins.size());
        return new PoolReply(
                activityId,
                pool.state(),
                plan.entriesCloseAt(),
                frozen == null ? plan.drawAt() : frozen.drawAt(),
                frozen == null ? null : frozen.entries(),
                frozen == null ? null : frozen.root(),
                frozen == null ? null : frozen.round(),
                frozen == null ? null : frozen.strategyVersion(),
                frozen == null
                        ? null
                        : new Beacon(
                                frozen.beacon(), frozen.beaconRound(), ordered == null ? null : ordered.beaconValue()),
                ordered == null ? null : ordered.drawKey(),
                ordered == null ? null : ordered.winners(),
                ordered == null ? null : ordered.reserves(),
                wins,
                ordered == null
                        ? null
                        : pool.movedUp().stream().map(MovedUp::of).toList(),
                next < pool.placesDrawn() ? next : null);
    }

    private DrawPlan planOf(ActivityId activityId) {
        ActivityProgress activity = activities.find(activityId).orThrow();
        DrawPlan plan = activity.definition().draw();
        if (plan == null) {
            throw new RefusedException(Refusal.DRAW_MODE, activityId.text());
        }
        return plan;
    }

    private List<PlacedWin> wins(PoolFrozen frozen, PoolOrdered ordered, PoolProgress pool, int after) {
        PoolAwardPlaces awards = draw.awards(frozen);
        List<PlacedWin> wins = new ArrayList<>();
        int max = Math.min(WINS_PER_PAGE, pool.placesDrawn() - after);
        int place = after;
        List<Integer> entries =
                max <= 0 ? List.of() : table.entriesFrom(frozen.activityId(), ordered.drawKey(), after + 1, max);
        for (int entryNo : entries) {
            place++;
            int won = place;
            awards.at(place)
                    .map(AwardDefinition::awardId)
                    .ifPresent(awardId -> wins.add(new PlacedWin(won, entryNo, awardId)));
        }
        return wins;
    }

    @Operation(summary = "Prove that an entry is in the pool, and its place", description = """
                    Returns the leaf of the entry, and the hashes that lead from the leaf to the published Merkle root.
                    After the draw, it also returns the entry's lot, its place and its win. The leaf is the SHA-256 of a
                    zero byte and the text `activity:<id>|<entryNo>|<orderId>`; the user knows the order id from the
                    response to the entry. Before the pool is frozen, the request is refused with NOT_FOUND.""")
    @GetMapping("/entries/{entryNo}/proof")
    EntryProof getEntryProof(@PathVariable ActivityId activityId, @PathVariable @Positive int entryNo) {
        planOf(activityId);
        PoolProgress pool = pools.find(activityId);
        PoolFrozen frozen = pool.frozen();
        if (frozen == null || entryNo > frozen.entries()) {
            throw new RefusedException(Refusal.NOT_FOUND, "entry " + entryNo + " of " + activityId);
        }
        ProvedLeaf proved = proofs.find(activityId, frozen.root(), entryNo);
        PoolOrdered ordered = pool.ordered();
        Integer place = ordered == null ? null : table.placeOf(activityId, ordered.drawKey(), entryNo);
        return new EntryProof(
                activityId,
                entryNo,
                HexFormat.of().formatHex(proved.leaf()),
                proved.path().stream().map(PublishedPoolEndpoint::step).toList(),
                frozen.root(),
                frozen.entries(),
                ordered == null ? null : ordered.drawKey(),
                ordered == null
                        ? null
                        : HexFormat.of()
                                .formatHex(new PoolShuffleKey(ordered.drawKey())
                                        .lots()
                                        .doFinal(proved.leaf())),
                place,
                place == null ? null : awardOf(frozen, pool, place),
                isReserve(ordered, place));
    }

    /** Returns whether a place belongs to a reserve; null before there are places. */
    private static @Nullable Boolean isReserve(@Nullable PoolOrdered ordered, @Nullable Integer place) {
        if (ordered == null || place == null) {
            return null;
        }
        int behind = place - ordered.winners();
        return behind > 0 && behind <= ordered.reserves();
    }

    private static ProofStep step(Sibling sibling) {
        return new ProofStep(
                sibling.left() ? SiblingSide.LEFT : SiblingSide.RIGHT,
                HexFormat.of().formatHex(sibling.hash()));
    }

    private @Nullable Integer awardOf(PoolFrozen frozen, PoolProgress pool, int place) {
        return place <= pool.placesDrawn()
                ? draw.awards(frozen).at(place).map(AwardDefinition::awardId).orElse(null)
                : pool.movedUp().stream()
                        .map(ReserveMovedUp::win)
                        .filter(win -> win.place() == place)
                        .map(PoolWin::awardId)
                        .findFirst()
                        .orElse(null);
    }
}
