package lottery.saga.pool;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardRecordId;
import lottery.api.pool.PoolEvent;
import lottery.api.pool.PoolEvent.ReserveMovedUp;
import lottery.api.pool.PoolEvent.ReservesUsedUp;
import lottery.api.pool.PoolId;
import lottery.store.axon.EventStreams;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.springframework.stereotype.Component;

/** Finds out which awards that their winners do not get still need a reserve, for sagas in other logs than the pool. */
@Component
class PoolVacancies {

    private final EventStore events;

    PoolVacancies(EventStore events) {
        this.events = events;
    }

    /** Returns those awards for which the pool has not decided yet; none if the activity has no pool. */
    List<AwardRecordId> undecided(ActivityId activityId, List<AwardRecordId> vacated) {
        List<PoolEvent> pool = EventStreams.select(events, new PoolId(activityId).text(), PoolEvent.class)
                .toList();
        if (pool.isEmpty()) {
            return List.of();
        }
        Set<AwardRecordId> decided =
                pool.stream().flatMap(PoolVacancies::decided).collect(Collectors.toSet());
        return vacated.stream().filter(award -> !decided.contains(award)).toList();
    }

    private static Stream<AwardRecordId> decided(PoolEvent event) {
        return switch (event) {
            case ReserveMovedUp moved -> Stream.of(moved.vacated());
            case ReservesUsedUp none -> Stream.of(none.vacated());
            case PoolEvent _ -> Stream.empty();
        };
    }
}
