package lottery.activity;

import com.fasterxml.jackson.annotation.JsonFormat;
import jakarta.validation.Valid;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.Digits;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.PositiveOrZero;
import jakarta.validation.constraints.Size;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import lottery.api.Money;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.StockLimit;
import lottery.api.SubmissionFlaw;
import lottery.api.SubmissionFlaw.FlawKind;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ActivityId;
import lottery.api.activity.Budget;
import lottery.api.activity.Budget.OnReached;
import lottery.api.activity.ChanceBundle;
import lottery.api.activity.DrawPlan;
import lottery.api.activity.DrawPlan.DrawMode;
import lottery.api.activity.SkuId;
import lottery.api.activity.SkuLimit;
import lottery.api.activity.SkuOffer;
import lottery.api.choice.TreeId;
import lottery.api.credit.CreditAmount;
import lottery.api.entitlement.ContentId;
import lottery.api.strategy.StrategyId;
import org.jspecify.annotations.Nullable;

/**
 * The definition of an activity in a request.
 *
 * @param activityId the id of the activity; may be left out if the URL contains it
 * @param keysRequired whether all callers must send idempotency keys; if it is left out, only players must
 * @param audience the decision tree that must lead a user to this activity before the user may draw; if it is left out,
 *     everybody may draw
 * @param queued whether all draws wait in the queue; if it is left out, a draw waits only if its request asks for that
 * @param skus the SKUs on offer; may be left out if each user has free chances
 * @param draw the plan to draw all entries together; if it is left out, each draw is decided at once
 * @param budget how much the awards may cost; if it is left out, there is no limit
 */
record ActivityDefinitionRequest(
        @Nullable @Positive Long activityId,
        @NotBlank @Size(max = 100) String name,
        @Nullable @Size(max = 2_000) String description,
        @NotNull OffsetDateTime beginsAt,
        @NotNull OffsetDateTime endsAt,
        @Nullable ZoneId zone,
        @NotNull @Positive Long strategyId,
        @Nullable @Positive @Max(StockLimit.UNITS_MAX) Integer participationsMax,
        @Nullable @Valid FreeChances free,
        @Nullable Boolean keysRequired,
        @Nullable @Positive Long audience,
        @Nullable Boolean queued,
        @Nullable @Size(max = 50) List<@NotNull @Valid SkuForm> skus,
        @Nullable @Valid DrawPlanForm draw,
        @Nullable @Valid BudgetForm budget) {

    private static final ZoneId USUAL_ZONE = ZoneId.of("Asia/Shanghai");

    /**
     * The chances that each user has without a recharge, and how many of them the user may spend in a month and on a
     * day.
     */
    record FreeChances(
            @NotNull @Positive @Max(ChanceBundle.CHANCES_MAX)
            Integer total,

            @NotNull @Positive @Max(ChanceBundle.CHANCES_MAX)
            Integer month,

            @NotNull @Positive @Max(ChanceBundle.CHANCES_MAX)
            Integer day) {

        ChanceBundle bundle() {
            return new ChanceBundle(total, month, day);
        }
    }

    record SkuForm(
            @NotNull @Positive Long sku,
            @Nullable @Size(max = 100) String title,

            @Nullable @Positive @Max(ChanceBundle.CHANCES_MAX)
            Integer total,

            @Nullable @Positive @Max(ChanceBundle.CHANCES_MAX)
            Integer month,

            @Nullable @Positive @Max(ChanceBundle.CHANCES_MAX)
            Integer day,

            @Nullable @Positive @Max(StockLimit.UNITS_MAX) Integer stock,

            @Nullable
            @Positive
            @Digits(integer = 12, fraction = 6)
            @DecimalMax(CreditAmount.MOST)
            @JsonFormat(shape = JsonFormat.Shape.STRING)
            BigDecimal priceCredits,

            @Nullable @Valid SkuLimitForm perUser,
            @Nullable @Valid PriceForm price,
            @Nullable @Pattern(regexp = ContentId.PATTERN) String entitlement) {

        /** Returns whether it gives chances, with all three numbers, or else content only. */
        boolean hasPossibleBundle() {
            return total == null ? month == null && day == null && entitlement != null : month != null && day != null;
        }

        private ChanceBundle bundle() {
            return total == null || month == null || day == null
                    ? ChanceBundle.NONE
                    : new ChanceBundle(total, month, day);
        }

        boolean hasPossiblePrice() {
            return price == null || (priceCredits == null && Money.isPossible(price.amount, price.currency));
        }

        SkuOffer offer() {
            return new SkuOffer(
                    new SkuId(sku),
                    title,
                    bundle(),
                    stock,
                    priceCredits,
                    perUser == null ? null : perUser.limit(),
                    price == null ? null : price.money(),
                    entitlement == null ? null : new ContentId(entitlement));
        }
    }

    /**
     * A price in money.
     *
     * @param currency the code of the currency by ISO 4217
     */
    record PriceForm(
            @NotNull
            @Positive
            @Digits(integer = 12, fraction = 4)
            @DecimalMax(Money.MOST)
            @JsonFormat(shape = JsonFormat.Shape.STRING)
            BigDecimal amount,

            @NotNull @Pattern(regexp = "[A-Z]{3}") String currency) {

        Money money() {
            return new Money(amount, currency);
        }

        static @Nullable PriceForm of(@Nullable Money money) {
            return money == null ? null : new PriceForm(money.amount(), money.currency());
        }
    }

    /** How often one user can have a SKU. */
    record SkuLimitForm(
            @NotNull @Positive @Max(SkuLimit.SKUS_MAX) Integer max,
            @NotNull SkuLimit.Period period) {

        SkuLimit limit() {
            return new SkuLimit(max, period);
        }
    }

    /**
     * The plan to draw all entries together, at one time.
     *
     * @param entriesCloseAt when entries close; half an hour before the draw if it is left out
     * @param reserves the number of reserves; none if it is left out
     */
    record DrawPlanForm(
            @NotNull DrawMode mode,
            @NotNull OffsetDateTime drawAt,
            @Nullable OffsetDateTime entriesCloseAt,

            @Nullable @PositiveOrZero @Max(DrawPlan.RESERVES_MAX)
            Integer reserves) {

        DrawPlan plan() {
            Instant at = drawAt.toInstant();
            return new DrawPlan(
                    mode,
                    at,
                    entriesCloseAt == null ? at.minus(DrawPlan.CLOSED_BEFORE) : entriesCloseAt.toInstant(),
                    Objects.requireNonNullElse(reserves, 0));
        }

        static DrawPlanForm of(DrawPlan plan) {
            return new DrawPlanForm(
                    plan.mode(),
                    plan.drawAt().atOffset(ZoneOffset.UTC),
                    plan.entriesCloseAt().atOffset(ZoneOffset.UTC),
                    plan.reserves());
        }
    }

    /**
     * How much the awards may cost.
     *
     * @param perDay how much the awards of one day may cost; if it is left out, there is no such limit
     */
    record BudgetForm(
            @NotNull
            @Positive
            @Digits(integer = 10, fraction = Budget.SCALE)
            @DecimalMax(Budget.MOST)
            @JsonFormat(shape = JsonFormat.Shape.STRING)
            BigDecimal amount,

            @Nullable
            @Positive
            @Digits(integer = 10, fraction = Budget.SCALE)
            @DecimalMax(Budget.MOST)
            @JsonFormat(shape = JsonFormat.Shape.STRING)
            BigDecimal perDay,

            @NotNull OnReached onReached) {

        Budget budget() {
            return new Budget(
                    CreditAmount.plain(amount), perDay == null ? null : CreditAmount.plain(perDay), onReached);
        }

        static BudgetForm of(Budget budget) {
            return new BudgetForm(budget.amount(), budget.perDay(), budget.onReached());
        }
    }

    /** Returns the request that gives an activity this definition. */
    static ActivityDefinitionRequest of(ActivityId activityId, ActivityDefinition definition) {
        return new ActivityDefinitionRequest(
                activityId.value(),
                definition.name(),
                definition.description(),
                definition.beginsAt().atOffset(ZoneOffset.UTC),
                definition.endsAt().atOffset(ZoneOffset.UTC),
                definition.zone(),
                definition.strategyId().value(),
                definition.participationsMax(),
                definition.free() == null ? null : freeOf(definition.free()),
                definition.keysRequired(),
                definition.audience() == null ? null : definition.audience().value(),
                definition.queued(),
                definition.skus().stream().map(ActivityDefinitionRequest::skuOf).toList(),
                definition.draw() == null ? null : DrawPlanForm.of(definition.draw()),
                definition.budget() == null ? null : BudgetForm.of(definition.budget()));
    }

    private static FreeChances freeOf(ChanceBundle bundle) {
        return new FreeChances(bundle.total(), bundle.month(), bundle.day());
    }

    private static SkuForm skuOf(SkuOffer offer) {
        SkuLimit limit = offer.perUser();
        ChanceBundle bundle = offer.bundle();
        boolean isEmpty = bundle.equals(ChanceBundle.NONE);
        return new SkuForm(
                offer.sku().value(),
                offer.title(),
                isEmpty ? null : bundle.total(),
                isEmpty ? null : bundle.month(),
                isEmpty ? null : bundle.day(),
                offer.stock(),
                offer.priceCredits(),
                limit == null ? null : new SkuLimitForm(limit.max(), limit.period()),
                PriceForm.of(offer.price()),
                offer.entitlement() == null ? null : offer.entitlement().value());
    }

    /**
     * Returns the definition.
     *
     * @throws RefusedException if a price or a bundle is not possible
     */
    ActivityDefinition definition() {
        requirePossibleSkus();
        return new ActivityDefinition(
                name,
                description,
                beginsAt.toInstant(),
                endsAt.toInstant(),
                Objects.requireNonNullElse(zone, USUAL_ZONE),
                new StrategyId(strategyId),
                participationsMax,
                free == null ? null : free.bundle(),
                keysRequired,
                audience == null ? null : new TreeId(audience),
                queued,
                skus == null ? List.of() : skus.stream().map(SkuForm::offer).toList(),
                draw == null ? null : draw.plan(),
                budget == null ? null : budget.budget());
    }

    private void requirePossibleSkus() {
        List<SubmissionFlaw> flaws = new ArrayList<>();
        for (int i = 0; skus != null && i < skus.size(); i++) {
            if (!skus.get(i).hasPossibleBundle()) {
                flaws.add(new SubmissionFlaw("/skus/%d/total".formatted(i), FlawKind.BUNDLE_UNFIT));
            }
            if (!skus.get(i).hasPossiblePrice()) {
                flaws.add(new SubmissionFlaw("/skus/%d/price".formatted(i), FlawKind.PRICE_UNFIT));
            }
        }
        if (!flaws.isEmpty()) {
            throw new RefusedException(
                    new Refused(Refusal.INVALID, flaws.getFirst().pointer(), flaws));
        }
    }
}
