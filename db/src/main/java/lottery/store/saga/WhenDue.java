package lottery.store.saga;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.messaging.annotation.MessageHandler;

/**
 * The method of a saga that is {@link DueSaga}. It is given the time, an {@link java.time.Instant}, and then whatever a
 * handler of events may ask for; it may end the saga.
 *
 * <p>It runs in a unit of work of its own. What is to go out once the new state is committed is registered with
 * {@code afterCommit} of that; a crash in between loses it, so that the new state should be due again for as long as
 * there is no answer. What is sent before may go out twice: sagas that are due are tried again, each alone, when one of
 * them has failed.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@MessageHandler(messageType = EventMessage.class)
public @interface WhenDue {}
