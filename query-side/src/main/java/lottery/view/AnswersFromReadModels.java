package lottery.view;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The read models that an endpoint answers from. A request with a position waits for these read models only. An
 * endpoint without this annotation is taken to read all of them.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface AnswersFromReadModels {

    /** Returns the names of their processors. */
    String[] value();
}
