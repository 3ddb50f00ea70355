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
 * an {@link java.time.Instant}. Further parameters may be any that an event handler may have. The method may end the
 * saga.
 *
 * <p>It runs in a unit of work of its own. An action that must follow the commit of the new state is registered with
 * {@code afterCommit} of that unit. A crash between commit and action loses the action. Therefore the new state should
 * be due again until an answer comes. An action before the commit may happen twice: if one due saga fails, all sagas of
 * its transaction are tried again, each alone.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@MessageHandler(messageType = EventMessage.class)
public @interface SagaDueHandler {}
