package lottery.messaging.feed;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The type under which a message is published, with a version. If a change would break readers, the message gets a new
 * version, and the new type is published beside the old one.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@interface CloudEventType {

    String value();
}
