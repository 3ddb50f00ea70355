package lottery.store.projection;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.axonframework.eventhandling.EventMessageHandler;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.jspecify.annotations.Nullable;

/** A stretch of the log on its way into the tables that are built anew, apart from what the processor is doing. */
final class ReplayBatch {

    private static final ScopedValue<ReplayBatch> CURRENT = ScopedValue.newInstance();

    private final Map<BatchProjection<?>, Gathered<?>> gathered = new LinkedHashMap<>();
    private long position;

    private record Gathered<B>(BatchProjection<B> projection, B batch) {

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

    /** Hands events to those who project them, and gathers what these make of them. */
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
                    throw new CannotProject(position, e);
                }
            }
        }
    }

    /** Of the event that is handed over now. */
    long position() {
        return position;
    }

    /** It is carried out later, and then it is to be known which event it came from. */
    <R> UnaryOperator<@Nullable R> blamed(UnaryOperator<@Nullable R> step) {
        long at = position;
        return before -> {
            try {
                return step.apply(before);
            } catch (RuntimeException e) {
                throw new CannotProject(at, e);
            }
        };
    }

    @SuppressWarnings("unchecked") // Each projection has been put in with a batch of its own kind.
    <B> B batch(BatchProjection<B> projection) {
        return ((Gathered<B>)
                        gathered.computeIfAbsent(projection, ignored -> new Gathered<>(projection, projection.begin())))
                .batch();
    }

    void write(ReplayRowCache remembered) {
        gathered.values().forEach(each -> each.write(remembered));
    }

    /** An event that the code of now cannot handle. */
    static final class CannotProject extends RuntimeException {

        private static final long serialVersionUID = 1;

        CannotProject(long position, Exception cause) {
            super("event %d cannot be handled: %s".formatted(position, cause), cause);
        }
    }
}
