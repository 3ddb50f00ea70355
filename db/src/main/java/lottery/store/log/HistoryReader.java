package lottery.store.log;

import java.util.Collection;
import java.util.List;
import org.axonframework.eventhandling.TrackedEventMessage;

/** Reads past events of the log in large ranges, without the types that the caller does not want. */
public final class HistoryReader {

    private final GroupCommitEngine engine;

    HistoryReader(GroupCommitEngine engine) {
        this.engine = engine;
    }

    /** Returns the position of the newest event. */
    public long head() {
        return engine.head();
    }

    /**
     * Returns the events after a position, up to another one.
     *
     * @param upTo at most the head, because nothing beyond it is committed
     * @param unwanted the stored names of events to leave out
     */
    public List<TrackedEventMessage<?>> between(long position, long upTo, Collection<String> unwanted) {
        return engine.between(position, upTo, unwanted);
    }

    /**
     * Returns the newest event of each aggregate of a kind. It reads all of them, which suits kinds with few
     * aggregates.
     *
     * @param prefix what the ids of the kind begin with
     */
    public List<TrackedEventMessage<?>> newestOfEach(String prefix) {
        return engine.newestOfEach(prefix);
    }

    /** Returns how many events the aggregates of a kind have. A number that has not changed says that none has. */
    public long countOfEach(String prefix) {
        return engine.countOfEach(prefix);
    }
}
