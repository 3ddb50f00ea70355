package lottery.pool;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.RaffleOrderId;

/** The numbers of entries of one process, which nobody else takes. */
public final class EntriesInMemory implements EntryNumberSeries {

    private final List<RaffleOrderId> entries = new ArrayList<>();
    private final Set<ActivityId> closed = new HashSet<>();

    @Override
    public Answer<ActivityId> requireOpen(ActivityId activityId) {
        return closed.contains(activityId)
                ? Answer.no(new Refused(Refusal.ENTRIES_CLOSED, activityId.text()))
                : Answer.done(activityId);
    }

    @Override
    public void take(ActivityId activityId, RaffleOrderId orderId) {
        entries.add(orderId);
    }

    @Override
    public OptionalInt of(ActivityId activityId, RaffleOrderId orderId) {
        return OptionalInt.of(entries.indexOf(orderId) + 1);
    }

    @Override
    public void close(ActivityId activityId) {
        closed.add(activityId);
    }
}
