package lottery.view;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The read models that an endpoint answers from. Who asks it for what was written up to a position waits for these, and
 * for no others; an endpoint that says nothing is taken to read all there are.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface ReadsFrom {

    /** The names of their processors. */
    String[] value();
}
