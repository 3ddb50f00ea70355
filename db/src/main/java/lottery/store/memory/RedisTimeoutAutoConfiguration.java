package lottery.store.memory;

import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.ClientResourcesBuilderCustomizer;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.LettuceClientConfigurationBuilderCustomizer;
import org.springframework.boot.data.redis.autoconfigure.LettuceClientOptionsBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** Sets short time limits for Redis, because every answer can also be found without Redis. */
@AutoConfiguration(before = DataRedisAutoConfiguration.class)
class RedisTimeoutAutoConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(RedisTimeoutAutoConfiguration.class);

    private static final Duration CONNECT_MAX = Duration.ofMillis(500);
    private static final Duration COMMAND_MAX = Duration.ofMillis(200);
    private static final Duration RECONNECT_PAUSE_MAX = Duration.ofSeconds(2);
    private static final int FIRST_ATTEMPTS_MAX = 5;

    @Bean
    LettuceClientConfigurationBuilderCustomizer redisCommandMax() {
        return client -> client.commandTimeout(COMMAND_MAX);
    }

    /** Makes a command fail at once if there is no connection, instead of waiting in a queue. */
    @Bean
    LettuceClientOptionsBuilderCustomizer redisConnectMax() {
        return options -> options.disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .socketOptions(
                        SocketOptions.builder().connectTimeout(CONNECT_MAX).build());
    }

    /** Limits the growing pauses between attempts to connect to two seconds; Lettuce's default is half a minute. */
    @Bean
    ClientResourcesBuilderCustomizer redisReconnectPauseMax() {
        return resources -> resources.reconnectDelay(
                () -> Delay.exponential(Duration.ZERO, RECONNECT_PAUSE_MAX, 2, TimeUnit.MILLISECONDS));
    }

    /**
     * Connects once at the start. The first connection loads the client's classes, which takes longer than an answer
     * may, and would look like an outage. If Redis is away, the start goes on without it.
     */
    @Bean
    SmartInitializingSingleton redisFirstConnection(ObjectProvider<RedisConnectionFactory> factories) {
        return () -> factories.ifAvailable(RedisTimeoutAutoConfiguration::connect);
    }

    private static void connect(RedisConnectionFactory factory) {
        for (int attempt = 1; attempt <= FIRST_ATTEMPTS_MAX; attempt++) {
            try (RedisConnection connection = factory.getConnection()) {
                connection.ping();
                return;
            } catch (DataAccessException away) {
                LOG.debug("Redis has not answered attempt {} of the start.", attempt, away);
            }
        }
    }
}
