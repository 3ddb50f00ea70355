package lottery.stage;

import java.time.Duration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Redis for a test that uses it as an operator does. It waits longer than a request may: other builds may use both
 * cores for a while.
 */
public final class PatientRedis {

    private static final Duration ANSWER_MAX = Duration.ofSeconds(10);

    private final LettuceConnectionFactory connections;

    PatientRedis(LettuceConnectionFactory usual) {
        connections = new LettuceConnectionFactory(
                usual.getStandaloneConfiguration(),
                LettuceClientConfiguration.builder().commandTimeout(ANSWER_MAX).build());
        connections.afterPropertiesSet();
        connections.start();
    }

    public StringRedisTemplate template() {
        return new StringRedisTemplate(connections);
    }

    void close() {
        connections.destroy();
    }
}
