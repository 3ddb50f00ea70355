package lottery.api.activity;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import lottery.api.Money;
import lottery.api.choice.TreeId;
import lottery.api.entitlement.ContentId;
import lottery.api.strategy.StrategyId;
import org.jspecify.annotations.Nullable;

/**
 * An activity as it is shown to a caller: its definition and its state.
 *
 * @param strategyVersion the approved version of the strategy; null if nobody has approved one
 * @param strategyHash the SHA-256 of its definition, in hex
 * @param free the chances that each user has without a recharge; null if there are none
 * @param keysRequired whether every draw and order needs an idempotency key; a player's request needs one in any case
 * @param audience the decision tree that must lead a user to this activity before the user may draw; null if everybody
 *     may draw
 * @param queued whether all draws wait in the queue, even if their requests do not ask for that
 * @param heldAwards the awards that draws do not win for now; null if no award is held
 * @param draw the plan to draw all entries together; null if each draw is decided at once
 * @param awardStock the awards with a limited stock, if a single activity is asked for; null in a list
 * @param rounds the commitments of its rounds, if a single activity is asked for; null in a list
 */
public record ListedActivity(
        ActivityId activityId,
        ActivityState state,
        String name,
        @Nullable String description,
        Instant beginsAt,
        Instant endsAt,
        ZoneId zone,
        StrategyId strategyId,
        @Nullable Integer strategyVersion,
        @Nullable String strategyHash,
        @Nullable Integer participationsMax,
        @Nullable ChanceBundle free,
        boolean keysRequired,
        @Nullable TreeId audience,
        boolean queued,
        List<ListedSku> skus,
        @Nullable List<Integer> heldAwards,
        @Nullable DrawPlan draw,
        @Nullable List<AwardStock> awardStock,
        @Nullable List<RoundCommitment> rounds) {

    /** The stock of an award, and what is left of it. */
    public record AwardStock(int awardId, @Nullable String title, int stock, int stockLeft) {}

    /**
     * A SKU that is on offer.
     *
     * @param total the chances in total; 0, as in a month and on a day, if it gives content only
     * @param stockLeft the units that are left, if a single activity is asked for and this SKU has a stock
     * @param priceCredits the price in credits, if there is one
     * @param perUser how often one user can have it; null if there is no limit
     * @param price the price in money; null if no payment buys it
     * @param entitlement the content that it gives; null if it gives chances only
     */
    public record ListedSku(
            SkuId sku,
            @Nullable String title,
            int total,
            int month,
            int day,
            @Nullable Integer stock,
            @Nullable Integer stockLeft,

            @Nullable @JsonFormat(shape = JsonFormat.Shape.STRING)
            BigDecimal priceCredits,

            @Nullable SkuLimit perUser,
            @Nullable Money price,
            @Nullable ContentId entitlement) {

        static ListedSku of(SkuOffer offer) {
            ChanceBundle bundle = offer.bundle();
            return new ListedSku(
                    offer.sku(),
                    offer.title(),
                    bundle.total(),
                    bundle.month(),
                    bundle.day(),
                    offer.stock(),
                    null,
                    offer.priceCredits(),
                    offer.perUser(),
                    offer.price(),
                    offer.entitlement());
        }

        private ListedSku with(@Nullable Integer left) {
            return new ListedSku(sku, title, total, month, day, stock, left, priceCredits, perUser, price, entitlement);
        }
    }

    public ListedActivity {
        skus = List.copyOf(skus);
        heldAwards = heldAwards == null || heldAwards.isEmpty() ? null : List.copyOf(heldAwards);
        awardStock = awardStock == null ? null : List.copyOf(awardStock);
        rounds = rounds == null ? null : List.copyOf(rounds);
    }

    public static ListedActivity of(
            ActivityId activityId,
            ActivityState state,
            ActivityDefinition definition,
            @Nullable ApprovedStrategy approved,
            SortedSet<Integer> held) {
        return new ListedActivity(
                activityId,
                state,
                definition.name(),
                definition.description(),
                definition.beginsAt(),
                definition.endsAt(),
                definition.zone(),
                definition.strategyId(),
                approved == null ? null : approved.version(),
                approved == null ? null : approved.hash(),
                definition.participationsMax(),
                definition.free(),
                Boolean.TRUE.equals(definition.keysRequired()),
                definition.audience(),
                Boolean.TRUE.equals(definition.queued()),
                definition.skus().stream().map(ListedSku::of).toList(),
                List.copyOf(held),
                definition.draw(),
                null,
                null);
    }

    /** Returns the same activity, together with the units that are left and with its rounds. */
    public ListedActivity with(
            Map<SkuId, Integer> skusLeft, List<AwardStock> awardsLeft, List<RoundCommitment> committed) {
        return new ListedActivity(
                activityId,
                state,
                name,
                description,
                beginsAt,
                endsAt,
                zone,
                strategyId,
                strategyVersion,
                strategyHash,
                participationsMax,
                free,
                keysRequired,
                audience,
                queued,
                skus.stream()
                        .map(offer -> offer.with(skusLeft.get(offer.sku())))
                        .toList(),
                heldAwards,
                draw,
                awardsLeft,
                committed);
    }
}
