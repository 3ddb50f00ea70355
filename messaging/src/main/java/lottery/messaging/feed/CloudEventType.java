package lottery.messaging.feed;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The type under which a message is published. Its version rises when readers of the previous one could not read it.
 * The new type is then published beside the old one.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@interface CloudEventType {

    String value();
}
