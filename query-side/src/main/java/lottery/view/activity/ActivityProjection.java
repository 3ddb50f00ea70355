package lottery.view.activity;

import java.util.List;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ActivityEvent;
import lottery.api.activity.ActivityEvent.ActivityCreated;
import lottery.api.activity.ActivityEvent.ActivityEdited;
import lottery.api.activity.ActivityState;
import lottery.api.activity.ApprovedStrategy;
import lottery.api.activity.RoundCommitment;
import lottery.store.projection.Projection;
import lottery.view.activity.ActivityProjection.ActivityColumns;
import lottery.view.activity.ActivityProjection.ActivityRowKey;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.SequenceNumber;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Component;

@Component
@ProcessingGroup("activities")
class ActivityProjection extends Projection<ActivityRowKey, ActivityColumns> {

    static final String TABLE = "view_activity";

    record ActivityRowKey(long activityId) {}

    /**
     * The row of an activity, projected from its events.
     *
     * @param definition the whole definition as JSON; some of its values also have columns of their own, for other read
     *     models
     * @param rounds the commitments of its rounds, as JSON
     * @param heldAwards the awards that are held
     */
    record ActivityColumns(
            long strategyId,
            String name,
            String zone,
            String definition,
            ActivityState state,
            long version,
            @Nullable Integer strategyVersion,
            @Nullable String strategyHash,
            String rounds,
            String heldAwards) {

        static ActivityColumns after(@Nullable ActivityColumns before, ActivityEvent event, long sequence) {
            if (before != null) {
                return before.evolve(event, sequence);
            }
            if (event instanceof ActivityCreated created) {
                return of(
                        created.definition(),
                        ActivityStateFold.after(created, ActivityState.EDIT),
                        sequence,
                        ActivityColumnCodec.text(List.of()),
                        "");
            }
            throw new IllegalStateException(event.activityId() + " went on before it was created");
        }

        private ActivityColumns evolve(ActivityEvent event, long sequence) {
            ActivityState arrived = ActivityStateFold.after(event, state);
            return event instanceof ActivityEdited edited
                    ? of(edited.definition(), arrived, sequence, rounds, heldAwards)
                    : in(
                            arrived,
                            sequence,
                            ApprovedStrategy.after(approved(), event),
                            roundsAfter(event),
                            heldAfter(event));
        }

        private String heldAfter(ActivityEvent event) {
            return ActivityColumnCodec.text(ActivityStateFold.heldAfter(event, ActivityColumnCodec.held(heldAwards)));
        }

        private String roundsAfter(ActivityEvent event) {
            return ActivityColumnCodec.text(
                    RoundCommitment.after(ActivityColumnCodec.rounds(rounds), approved(), event));
        }

        @Nullable
        ApprovedStrategy approved() {
            return strategyVersion == null || strategyHash == null
                    ? null
                    : new ApprovedStrategy(strategyVersion, strategyHash);
        }

        private ActivityColumns in(
                ActivityState arrived,
                long sequence,
                @Nullable ApprovedStrategy approved,
                String committed,
                String held) {
            return new ActivityColumns(
                    strategyId,
                    name,
                    zone,
                    definition,
                    arrived,
                    sequence,
                    approved == null ? null : approved.version(),
                    approved == null ? null : approved.hash(),
                    committed,
                    held);
        }

        private static ActivityColumns of(
                ActivityDefinition definition, ActivityState state, long sequence, String rounds, String heldAwards) {
            return new ActivityColumns(
                    definition.strategyId().value(),
                    definition.name(),
                    definition.zone().getId(),
                    ActivityColumnCodec.text(definition),
                    state,
                    sequence,
                    null,
                    null,
                    rounds,
                    heldAwards);
        }
    }

    private final KnownActivityIds ids;

    ActivityProjection(JdbcOperations database, KnownActivityIds ids) {
        super(database, TABLE, ActivityRowKey.class, ActivityColumns.class);
        this.ids = ids;
    }

    @EventHandler
    void on(ActivityEvent event, @SequenceNumber long sequence) {
        change(
                new ActivityRowKey(event.activityId().value()),
                before -> ActivityColumns.after(before, event, sequence));
        if (event instanceof ActivityCreated) {
            // While the table is built anew there is no unit of work. The activities are not new then, so nothing has
            // to be told.
            CurrentUnitOfWork.ifStarted(batch -> batch.root().afterCommit(_ -> ids.arrived()));
        }
    }
}
