package lottery.strategy;

import com.fasterxml.jackson.annotation.JsonFormat;
import jakarta.validation.Valid;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.Digits;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.PositiveOrZero;
import jakarta.validation.constraints.Size;
import java.math.BigDecimal;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import lottery.api.StockLimit;
import lottery.api.UserId;
import lottery.api.credit.CreditAmount;
import lottery.api.strategy.AmountRange;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.Blacklist;
import lottery.api.strategy.GrantTime;
import lottery.api.strategy.Remedy;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyDefinition.Mode;
import lottery.api.strategy.StrategyDefinition.TierMode;
import lottery.api.strategy.Tier;
import lottery.tree.TreeDefinitionRequest;
import org.jspecify.annotations.Nullable;

/**
 * The definition of a strategy in a request.
 *
 * @param strategyId needed for a new strategy; may be left out of a revision, because the URL contains it
 */
record StrategyDefinitionRequest(
        @Nullable @Positive Long strategyId,

        @NotNull Mode mode,
        @NotEmpty @Size(max = 200) List<@NotNull @Valid AwardForm> awards,
        @Nullable Boolean ratesAddUpToOne,
        @Nullable Integer fallback,
        @Nullable @Valid BlacklistForm blacklist,
        @Nullable TierMode tierMode,
        @Nullable @Size(max = 100) List<@NotNull @Valid TierForm> tiers,
        @Nullable @Valid TreeDefinitionRequest tree) {

    /** The pattern of a key in the config of an award, for example {@code credits}. */
    static final String CONFIG_KEY = "[A-Za-z0-9._-]{1,64}";

    record AwardForm(
            @NotNull @Positive Integer awardId,
            @NotBlank @Size(max = 100) String title,
            @Nullable @Size(max = 200) String subtitle,
            @NotNull AwardType type,

            @Nullable @Size(max = 20)
            Map<@Pattern(regexp = CONFIG_KEY) String, @NotNull @Size(max = 2_000) String> config,

            @Nullable @Valid AmountRangeForm amount,

            @NotNull @JsonFormat(shape = JsonFormat.Shape.STRING)
            BigDecimal rate,

            @Nullable @Positive @Max(StockLimit.UNITS_MAX) Integer stock,
            @NotNull Integer sort,
            @Nullable @PositiveOrZero @Max(10_000) Integer lockedUntilDraws,
            @Nullable @Valid GrantForm grant,
            @Nullable Remedy onFailure,

            @Nullable
            @PositiveOrZero
            @Digits(integer = 12, fraction = 6)
            @DecimalMax(CreditAmount.MOST)
            @JsonFormat(shape = JsonFormat.Shape.STRING)
            BigDecimal cost,

            @Nullable @Positive @Max(AwardDefinition.PER_USER_MAX)
            Integer maxPerUser) {

        AwardForm {
            // The exponent is removed before the digits are checked. So a zero counts as a number without digits,
            // whatever its exponent is.
            cost = cost == null ? null : withoutExponent(cost);
        }

        AwardDefinition definition() {
            return new AwardDefinition(
                    awardId,
                    title,
                    subtitle,
                    type,
                    Objects.requireNonNullElse(config, Map.of()),
                    amount == null
                            ? null
                            : new AmountRange(withoutExponent(amount.min()), withoutExponent(amount.max())),
                    rate,
                    stock,
                    sort,
                    Objects.requireNonNullElse(lockedUntilDraws, 0),
                    grant == null ? GrantTime.AT_ONCE : grant.time(),
                    Objects.requireNonNullElse(onFailure, Remedy.MANUAL),
                    cost,
                    maxPerUser);
        }

        /**
         * Returns 1e2 as 100, so that both notations define the same strategy. A huge exponent stays, and the check
         * reports it.
         */
        private static BigDecimal withoutExponent(BigDecimal number) {
            if (number.scale() >= 0) {
                return number;
            }
            if (number.signum() == 0) {
                return BigDecimal.ZERO;
            }
            return CreditAmount.isPossible(number) ? number.setScale(0) : number;
        }
    }

    /** @param at the time of the grant, if it is scheduled */
    record GrantForm(
            @NotNull GrantTime.Timing timing, @Nullable OffsetDateTime at) {

        GrantTime time() {
            return new GrantTime(timing, at == null ? null : at.toInstant());
        }
    }

    record AmountRangeForm(
            @NotNull @JsonFormat(shape = JsonFormat.Shape.STRING)
            BigDecimal min,

            @NotNull @JsonFormat(shape = JsonFormat.Shape.STRING)
            BigDecimal max) {}

    record BlacklistForm(
            @NotEmpty @Size(max = 10_000) List<@NotNull UserId> users,
            @NotNull Integer awardId) {}

    record TierForm(
            @NotNull @Positive Integer from,
            @NotEmpty @Size(max = 200) List<@NotNull Integer> awardIds) {}

    StrategyDefinition definition() {
        return new StrategyDefinition(
                mode,
                awards.stream().map(AwardForm::definition).toList(),
                Objects.requireNonNullElse(ratesAddUpToOne, false),
                fallback,
                blacklist == null ? null : new Blacklist(blacklist.users(), blacklist.awardId()),
                Objects.requireNonNullElse(tierMode, TierMode.FLOOR),
                Objects.requireNonNullElse(tiers, List.<TierForm>of()).stream()
                        .map(tier -> new Tier(tier.from(), tier.awardIds()))
                        .toList(),
                tree == null ? null : tree.definition());
    }
}
