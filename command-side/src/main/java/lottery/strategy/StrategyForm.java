package lottery.strategy;

import com.fasterxml.jackson.annotation.JsonFormat;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.PositiveOrZero;
import jakarta.validation.constraints.Size;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyDefinition.Mode;
import org.jspecify.annotations.Nullable;

/** A strategy as it is handed in. */
record StrategyForm(
        @NotNull @Positive Long strategyId,
        @NotNull Mode mode,
        @NotEmpty @Size(max = 200) List<@NotNull @Valid AwardForm> awards,
        @Nullable Integer fallback) {

    /** What fulfilment looks up: a name, not a text. */
    private static final String CONFIG_KEY = "[A-Za-z0-9._-]{1,64}";

    record AwardForm(
            @NotNull @Positive Integer awardId,
            @NotBlank @Size(max = 100) String title,
            @Nullable @Size(max = 200) String subtitle,
            @NotNull AwardType type,

            @Nullable @Size(max = 20)
            Map<@Pattern(regexp = CONFIG_KEY) String, @NotNull @Size(max = 2_000) String> config,

            @NotNull @JsonFormat(shape = JsonFormat.Shape.STRING)
            BigDecimal rate,

            @NotNull Integer sort,
            @Nullable @PositiveOrZero @Max(10_000) Integer lockedUntilDraws) {

        AwardDefinition definition() {
            return new AwardDefinition(
                    awardId,
                    title,
                    subtitle,
                    type,
                    Objects.requireNonNullElse(config, Map.of()),
                    rate,
                    sort,
                    Objects.requireNonNullElse(lockedUntilDraws, 0));
        }
    }

    StrategyDefinition definition() {
        return new StrategyDefinition(
                mode, awards.stream().map(AwardForm::definition).toList(), fallback);
    }
}
