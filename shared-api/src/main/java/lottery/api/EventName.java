package lottery.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The name under which an event is stored and published. It stays the same if the class is renamed. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface EventName {

    String value();

    /**
     * The version of the payload. It is increased when the payload changes in a way that older readers cannot handle.
     */
    int revision() default 1;
}
