package lottery.view.activity;

import jakarta.persistence.EntityManager;
import lottery.api.activity.ActivityEvent;
import lottery.api.activity.ActivityEvent.ActivityCreated;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.SequenceNumber;
import org.springframework.stereotype.Component;

@Component
@ProcessingGroup("activities")
class ActivityProjection {

    private final ActivityRows rows;
    private final EntityManager entities;

    ActivityProjection(ActivityRows rows, EntityManager entities) {
        this.rows = rows;
        this.entities = entities;
    }

    @EventHandler
    void on(ActivityEvent event, @SequenceNumber long sequence) {
        rows.findById(event.activityId().value())
                .ifPresentOrElse(row -> row.on(event, sequence), () -> create(event, sequence));
    }

    private void create(ActivityEvent event, long sequence) {
        if (!(event instanceof ActivityCreated created)) {
            throw new IllegalStateException(event.activityId() + " went on before it was created");
        }
        entities.persist(new ActivityRow(created.activityId(), created.definition(), sequence));
    }
}
