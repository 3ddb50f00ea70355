package lottery.view.wheel;

import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Table;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.StrategyId;
import org.jspecify.annotations.Nullable;

@Entity
@Table(name = "view_award")
class AwardRow {

    @EmbeddedId
    private AwardKey key;

    private String title;

    private @Nullable String subtitle;

    @Enumerated(EnumType.STRING)
    private AwardType type;

    private int sort;
    private int lockedUntilDraws;

    @SuppressWarnings("unused") // Read beside what is taken.
    private @Nullable Integer stock;

    /** Of the strategy. */
    private int version;

    /** For Hibernate. */
    @SuppressWarnings("NullAway.Init") // Hibernate fills the fields itself.
    protected AwardRow() {}

    AwardRow(StrategyId strategyId, int version, AwardDefinition award) {
        this.version = version;
        this.key = new AwardKey(strategyId.value(), award.awardId());
        this.title = award.title();
        this.subtitle = award.subtitle();
        this.type = award.type();
        this.sort = award.sort();
        this.lockedUntilDraws = award.lockedUntilDraws();
        this.stock = award.stock();
    }

    int awardId() {
        return key.awardId();
    }

    int version() {
        return version;
    }

    Place place(boolean soldOut) {
        return new Place(key.awardId(), title, subtitle, sort, type, new Lock(lockedUntilDraws), soldOut);
    }
}
