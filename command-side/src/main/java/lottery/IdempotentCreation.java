package lottery;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks an operation over REST that gives or creates something. It answers 201 the first time, and 200 when the request
 * is repeated, as {@link IdempotentReplyBuilder} does. The contract promises both.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface IdempotentCreation {

    /** Says what 200 returns to a request that is no repetition; empty if there is no such answer. */
    String otherwise() default "";
}
