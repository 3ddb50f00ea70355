package lottery.pool;

import java.util.List;
import java.util.OptionalInt;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.RaffleOrderId;
import lottery.store.axon.NamedNumberSeries;
import lottery.store.axon.NamedNumberSeries.AssignedNumber;
import lottery.store.axon.NumberSeriesClosedException;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.springframework.stereotype.Component;

/** Numbers entries in the commits that store them. */
@Component
class StoredEntryNumberSeries implements EntryNumberSeries, PoolEntryReader {

    private static final String PREFIX = "pool:";

    private final NamedNumberSeries series;

    private final ClosedPoolCache closed = new ClosedPoolCache();

    StoredEntryNumberSeries(NamedNumberSeries series) {
        this.series = series;
    }

    @Override
    public Answer<ActivityId> requireOpen(ActivityId activityId) {
        return closed.contains(activityId)
                ? Answer.no(new Refused(Refusal.ENTRIES_CLOSED, activityId.text()))
                : Answer.done(activityId);
    }

    @Override
    public void take(ActivityId activityId, RaffleOrderId orderId) {
        series.take(name(activityId), orderId.text());
        CurrentUnitOfWork.get().root().onRollback(failed -> {
            if (failed.getExecutionResult().isExceptionResult()
                    && failed.getExecutionResult().getExceptionResult() instanceof NumberSeriesClosedException) {
                closed.add(activityId);
            }
        });
    }

    @Override
    public OptionalInt of(ActivityId activityId, RaffleOrderId orderId) {
        OptionalInt entryNo = series.numberOf(name(activityId), orderId.text());
        closed.numbered(activityId, entryNo.isPresent() ? entryNo.getAsInt() : series.newestHere(name(activityId)));
        return entryNo;
    }

    /** Gives numbers to the entries of other logs, after those of the log of the pool. The pool has to be closed. */
    void gather(ActivityId activityId) {
        series.gather(name(activityId));
    }

    @Override
    public void close(ActivityId activityId) {
        series.close(name(activityId));
    }

    /** Returns how many entries a pool has. */
    int count(ActivityId activityId) {
        return series.newest(name(activityId));
    }

    @Override
    public List<PoolEntry> above(ActivityId activityId, int entryNo) {
        return above(activityId, entryNo, PAGE).stream()
                .map(given -> new PoolEntry(given.number(), given.holder()))
                .toList();
    }

    /** Returns the entries above a number, at most {@code max} of them. */
    List<AssignedNumber> above(ActivityId activityId, int entryNo, int max) {
        return series.above(name(activityId), entryNo, max);
    }

    private static String name(ActivityId activityId) {
        return PREFIX + activityId.value();
    }
}
