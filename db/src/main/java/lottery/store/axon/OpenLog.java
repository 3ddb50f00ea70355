package lottery.store.axon;

import java.time.Instant;
import lottery.store.commit.Committer;
import lottery.store.log.Log;
import lottery.store.log.LogDivergenceGuard;
import lottery.store.log.LogReader;
import lottery.store.log.LogTail;
import lottery.store.log.LogVersion;
import lottery.store.log.NotificationListener;
import lottery.store.log.TailFollower;
import org.axonframework.common.stream.BlockingStream;
import org.axonframework.eventhandling.GlobalSequenceTrackingToken;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.eventhandling.TrackingToken;
import org.axonframework.messaging.StreamableMessageSource;
import org.axonframework.serialization.Serializer;
import org.axonframework.serialization.upcasting.event.EventUpcaster;
import org.jspecify.annotations.Nullable;

/** A log as this process has it open: what it writes and reads the log with, and its newest events. */
public final class OpenLog implements StreamableMessageSource<TrackedEventMessage<?>> {

    private final Log log;
    private final LogTail tail;
    private final LogDivergenceGuard divergenceGuard;
    private final Committer committer;
    private final LogReader reader;
    private final LogMessageReader messages;
    private final SnapshotTable snapshots;
    private final TailFollower follower;
    private final NotificationListener listener;

    OpenLog(
            Log log,
            LogTail tail,
            LogDivergenceGuard divergenceGuard,
            Committer committer,
            Serializer serializer,
            EventUpcaster upcasters) {
        this.log = log;
        this.tail = tail;
        this.divergenceGuard = divergenceGuard;
        this.committer = committer;
        this.reader = new LogReader(log, tail::last);
        this.messages = new LogMessageReader(reader, serializer, upcasters);
        this.snapshots = new SnapshotTable(log);
        this.follower = new TailFollower(tail, divergenceGuard, messages);
        this.listener = new NotificationListener(log, tail);
    }

    /** @param end ends this process at once, because the log has gone back */
    static OpenLog of(Log log, LogVersion version, Serializer serializer, EventUpcaster upcasters, Runnable end) {
        LogTail tail = new LogTail();
        LogDivergenceGuard divergenceGuard = new LogDivergenceGuard(end);
        Committer committer = Committer.of(log, version, tail, divergenceGuard);
        return new OpenLog(log, tail, divergenceGuard, committer, serializer, upcasters);
    }

    void start() {
        committer.start();
        follower.start();
        listener.start();
    }

    void close() {
        listener.close();
        follower.close();
        committer.close();
    }

    public Log log() {
        return log;
    }

    public LogDivergenceGuard divergenceGuard() {
        return divergenceGuard;
    }

    Committer committer() {
        return committer;
    }

    LogReader reader() {
        return reader;
    }

    LogMessageReader messages() {
        return messages;
    }

    SnapshotTable snapshots() {
        return snapshots;
    }

    @Override
    public BlockingStream<TrackedEventMessage<?>> openStream(@Nullable TrackingToken token) {
        return new TailStream(tail, messages, TokenPositionConverter.of(token));
    }

    @Override
    public TrackingToken createTailToken() {
        return new GlobalSequenceTrackingToken(reader.beginning());
    }

    @Override
    public TrackingToken createHeadToken() {
        return new GlobalSequenceTrackingToken(reader.head());
    }

    @Override
    public TrackingToken createTokenAt(Instant dateTime) {
        return new GlobalSequenceTrackingToken(reader.before(dateTime));
    }
}
