package lottery.view.wheel;

import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Table;
import lottery.api.strategy.AwardType;
import org.jspecify.annotations.Nullable;

/** The row of an award; {@link StrategyAwardProjection} writes it. */
@Entity
@Table(name = "view_award")
class StrategyAwardRow {

    @EmbeddedId
    private StrategyAwardKey key;

    private String title;

    private @Nullable String subtitle;

    @Enumerated(EnumType.STRING)
    private AwardType type;

    private int sort;
    private int lockedUntilDraws;
    private @Nullable Integer maxPerUser;

    /** Hibernate needs this constructor. */
    @SuppressWarnings("NullAway.Init") // Hibernate fills the fields itself.
    protected StrategyAwardRow() {}

    int version() {
        return key.version();
    }

    StrategyWheelAward award() {
        return new StrategyWheelAward(key.awardId(), title, subtitle, sort, type, lockedUntilDraws, maxPerUser);
    }
}
