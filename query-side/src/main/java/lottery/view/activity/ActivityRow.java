package lottery.view.activity;

import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.ZoneId;
import java.util.List;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ActivityState;
import lottery.api.activity.ApprovedStrategy;
import lottery.api.activity.ListedActivity;
import lottery.api.activity.RoundCommitment;
import lottery.api.strategy.StrategyId;
import lottery.view.PageCursor;
import lottery.view.redis.Versioned;
import org.jspecify.annotations.Nullable;

/** The row of an activity; {@link ActivityProjection} writes it. */
@Entity
@Table(name = "view_activity")
class ActivityRow {

    @Id
    private long activityId;

    private long strategyId;
    private String name;
    private String zone;

    /** The whole definition as JSON. Some of its values also have columns of their own, for other read models. */
    private String definition;

    @Enumerated(EnumType.STRING)
    private ActivityState state;

    private long version;
    private @Nullable Integer strategyVersion;
    private @Nullable String strategyHash;

    /** The commitments of its rounds, as JSON. */
    private String rounds;

    /** The numbers of the awards that are held. */
    private String heldAwards;

    /** Hibernate needs this constructor. */
    @SuppressWarnings("NullAway.Init") // Hibernate fills the fields itself.
    protected ActivityRow() {}

    ListedActivity toListed() {
        return ListedActivity.of(
                new ActivityId(activityId),
                state,
                ActivityColumnCodec.definition(definition),
                approved(),
                ActivityColumnCodec.held(heldAwards));
    }

    List<RoundCommitment> rounds() {
        return ActivityColumnCodec.rounds(rounds);
    }

    PageCursor cursor() {
        return new PageCursor(activityId);
    }

    Versioned<ActivityFacts> versioned() {
        return new Versioned<>(toActivity(), version);
    }

    ActivityFacts toActivity() {
        return new ActivityFacts(
                new ActivityId(activityId),
                new StrategyId(strategyId),
                name,
                ZoneId.of(zone),
                state,
                ActivityColumnCodec.definition(definition).free(),
                approved(),
                ActivityColumnCodec.held(heldAwards));
    }

    private @Nullable ApprovedStrategy approved() {
        return strategyVersion == null || strategyHash == null
                ? null
                : new ApprovedStrategy(strategyVersion, strategyHash);
    }
}
