package lottery.store.log;

import java.util.Collection;
import java.util.List;
import org.axonframework.eventhandling.TrackedEventMessage;

/** The log as somebody reads it who was not there: in large stretches, and without what is of no interest. */
public final class HistoryReader {

    private final GroupCommitEngine engine;

    HistoryReader(GroupCommitEngine engine) {
        this.engine = engine;
    }

    /** The position of the newest event. */
    public long head() {
        return engine.head();
    }

    /**
     * What comes after a position, up to another one.
     *
     * @param upTo at most the head: of what is not committed yet nobody knows where it ends
     * @param unwanted the stored names of events that are left out
     */
    public List<TrackedEventMessage<?>> between(long position, long upTo, Collection<String> unwanted) {
        return engine.between(position, upTo, unwanted);
    }
}
