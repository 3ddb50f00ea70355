package lottery.stage;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.test.context.ContextConfiguration;

/** Starts the test context with a real HTTP server, for tests that need one. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(
        classes = Stage.class,
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "lottery.data=${lottery.servers:target/servers}-on-air",
            "spring.threads.virtual.enabled=true",
            "server.tomcat.max-connections=10000",
            "server.tomcat.accept-count=1000"
        })
@ContextConfiguration(initializers = StageRedisLink.LinkInitializer.class)
public @interface OnAir {}
