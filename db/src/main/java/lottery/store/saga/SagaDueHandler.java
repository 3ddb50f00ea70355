package lottery.store.saga;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.messaging.annotation.MessageHandler;

/**
 * Marks the method of a {@link SagaWithDueTime} that is called when the saga is due. Its first parameter is the time,
 * an {@link java.time.Instant}; the others are any that a handler of events may have. The method may end the saga.
 *
 * <p>It runs in a unit of work of its own. An action that must follow the commit of the new state is registered with
 * {@code afterCommit} of that unit. A crash in between loses the action, so the new state should be due again for as
 * long as there is no answer. An action before the commit may happen twice: when one due saga fails, all of its
 * transaction are tried again, each alone.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@MessageHandler(messageType = EventMessage.class)
public @interface SagaDueHandler {}
