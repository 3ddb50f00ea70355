package lottery.api.strategy;

import java.math.BigDecimal;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Builds an award step by step, by the names of its components. Components that are not set have the usual values: no
 * limit, no lock, no config, handed over at once, and left to the desk if that fails.
 */
public final class AwardDefinitionBuilder {

    private final int awardId;
    private final String title;
    private @Nullable String subtitle;
    private AwardType type;
    private Map<String, String> config = Map.of();
    private @Nullable AmountRange amount;
    private final BigDecimal rate;
    private @Nullable Integer stock;
    private int sort;
    private int lockedUntilDraws;
    private GrantTime grant = GrantTime.AT_ONCE;
    private Remedy onFailure = Remedy.MANUAL;
    private @Nullable BigDecimal cost;
    private @Nullable Integer maxPerUser;

    AwardDefinitionBuilder(int awardId, String title, AwardType type, BigDecimal rate) {
        this.awardId = awardId;
        this.title = title;
        this.type = type;
        this.rate = rate;
        this.sort = awardId;
    }

    AwardDefinitionBuilder(AwardDefinition award) {
        this(award.awardId(), award.title(), award.type(), award.rate());
        subtitle = award.subtitle();
        config = award.config();
        amount = award.amount();
        stock = award.stock();
        sort = award.sort();
        lockedUntilDraws = award.lockedUntilDraws();
        grant = award.grant();
        onFailure = award.onFailure();
        cost = award.cost();
        maxPerUser = award.maxPerUser();
    }

    public AwardDefinitionBuilder type(AwardType value) {
        type = value;
        return this;
    }

    public AwardDefinitionBuilder subtitle(@Nullable String value) {
        subtitle = value;
        return this;
    }

    public AwardDefinitionBuilder config(Map<String, String> value) {
        config = value;
        return this;
    }

    public AwardDefinitionBuilder amount(@Nullable AmountRange value) {
        amount = value;
        return this;
    }

    public AwardDefinitionBuilder stock(@Nullable Integer value) {
        stock = value;
        return this;
    }

    public AwardDefinitionBuilder sort(int value) {
        sort = value;
        return this;
    }

    public AwardDefinitionBuilder lockedUntilDraws(int value) {
        lockedUntilDraws = value;
        return this;
    }

    public AwardDefinitionBuilder grant(GrantTime value) {
        grant = value;
        return this;
    }

    public AwardDefinitionBuilder onFailure(Remedy value) {
        onFailure = value;
        return this;
    }

    public AwardDefinitionBuilder cost(@Nullable BigDecimal value) {
        cost = value;
        return this;
    }

    public AwardDefinitionBuilder maxPerUser(@Nullable Integer value) {
        maxPerUser = value;
        return this;
    }

    public AwardDefinition build() {
        return new AwardDefinition(
                awardId,
                title,
                subtitle,
                type,
                config,
                amount,
                rate,
                stock,
                sort,
                lockedUntilDraws,
                grant,
                onFailure,
                cost,
                maxPerUser);
    }
}
