package lottery.view;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the read models that an endpoint answers from. A request with a position waits for these read models only. For
 * an endpoint without this annotation, the request waits for all read models.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface AnswersFromReadModels {

    /** Returns the names of the processing groups of these read models. */
    String[] value();
}
