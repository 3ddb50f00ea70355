package lottery.stage;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.test.context.ContextConfiguration;

/** Starts the test context with three logs, over which the users are spread. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(
        classes = Stage.class,
        properties = {"lottery.logs=3", "lottery.data=${lottery.servers:target/servers}-of-logs"})
@ContextConfiguration(initializers = StageRedisLink.LinkInitializer.class)
@AutoConfigureMockMvc
public @interface OnSeveralLogs {}
