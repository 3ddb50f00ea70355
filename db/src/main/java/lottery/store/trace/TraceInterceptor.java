package lottery.store.trace;

import java.util.List;
import java.util.function.BiFunction;
import org.axonframework.messaging.InterceptorChain;
import org.axonframework.messaging.Message;
import org.axonframework.messaging.MessageDispatchInterceptor;
import org.axonframework.messaging.MessageHandlerInterceptor;
import org.axonframework.messaging.unitofwork.UnitOfWork;

/**
 * Passes the trace id and the actor from a thread to the commands that it sends, and from a command to the thread that
 * handles it. A command that already has a trace id or an actor keeps it.
 */
public final class TraceInterceptor
        implements MessageDispatchInterceptor<Message<?>>, MessageHandlerInterceptor<Message<?>> {

    @Override
    public BiFunction<Integer, Message<?>, Message<?>> handle(List<? extends Message<?>> messages) {
        return (index, message) -> withActor(withTrace(message));
    }

    private static Message<?> withTrace(Message<?> message) {
        return message.getMetaData().containsKey(TraceId.KEY)
                ? message
                : TraceId.current()
                        .<Message<?>>map(id -> message.andMetaData(id.metaData()))
                        .orElse(message);
    }

    private static Message<?> withActor(Message<?> message) {
        return Actor.in(message).isPresent()
                ? message
                : Actor.current()
                        .<Message<?>>map(actor -> message.andMetaData(actor.ofCommand()))
                        .orElse(message);
    }

    @Override
    public Object handle(UnitOfWork<? extends Message<?>> unit, InterceptorChain chain) throws Exception {
        try (var _ = TraceId.open(TraceId.in(unit.getMessage()).orElse(null));
                var _ = Actor.open(Actor.in(unit.getMessage()).orElse(null))) {
            return chain.proceed();
        }
    }
}
