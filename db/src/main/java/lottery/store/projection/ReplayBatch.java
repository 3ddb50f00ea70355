package lottery.store.projection;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.axonframework.eventhandling.EventMessageHandler;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.jspecify.annotations.Nullable;

/**
 * The changes of a range of the log, which go into the new tables of a replay. They are separate from the batches of
 * the processor.
 */
final class ReplayBatch {

    private static final ScopedValue<ReplayBatch> CURRENT = ScopedValue.newInstance();

    private final Map<BatchProjection<?>, ProjectionBatch<?>> gathered = new LinkedHashMap<>();
    private long position;

    private record ProjectionBatch<B>(BatchProjection<B> projection, B batch) {

        void write(ReplayRowCache remembered) {
            projection.rebuild(batch, remembered);
        }
    }

    static boolean isUnderWay() {
        return CURRENT.isBound();
    }

    static ReplayBatch current() {
        return CURRENT.get();
    }

    /** Hands events to the handlers, and gathers the changes that they make. */
    static ReplayBatch of(List<TrackedEventMessage<?>> events, List<? extends EventMessageHandler> handlers) {
        ReplayBatch rebuilding = new ReplayBatch();
        ScopedValue.where(CURRENT, rebuilding).run(() -> events.forEach(event -> rebuilding.take(event, handlers)));
        return rebuilding;
    }

    private void take(TrackedEventMessage<?> event, List<? extends EventMessageHandler> handlers) {
        position = event.trackingToken().position().orElseThrow();
        for (EventMessageHandler handler : handlers) {
            if (handler.canHandle(event)) {
                try {
                    handler.handle(event);
                } catch (Exception e) {
                    throw new ProjectionFailedException(position, e);
                }
            }
        }
    }

    /** Returns the position of the event that is being handled. */
    long position() {
        return position;
    }

    /** Wraps a change that is carried out later, so that a failure names the event that caused the change. */
    <R> UnaryOperator<@Nullable R> blamed(UnaryOperator<@Nullable R> step) {
        long at = position;
        return before -> {
            try {
                return step.apply(before);
            } catch (RuntimeException e) {
                throw new ProjectionFailedException(at, e);
            }
        };
    }

    @SuppressWarnings("unchecked") // Each projection was stored with a batch of its own type.
    <B> B batch(BatchProjection<B> projection) {
        return ((ProjectionBatch<B>) gathered.computeIfAbsent(
                        projection, ignored -> new ProjectionBatch<>(projection, projection.begin())))
                .batch();
    }

    void write(ReplayRowCache remembered) {
        gathered.values().forEach(each -> each.write(remembered));
    }

    /** An event that the current code cannot handle. */
    static final class ProjectionFailedException extends RuntimeException {

        private static final long serialVersionUID = 1;

        ProjectionFailedException(long position, Exception cause) {
            super("event %d cannot be handled: %s".formatted(position, cause), cause);
        }
    }
}
