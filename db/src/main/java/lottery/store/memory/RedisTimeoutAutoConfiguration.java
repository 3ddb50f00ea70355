package lottery.store.memory;

import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.ClientResourcesBuilderCustomizer;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.LettuceClientConfigurationBuilderCustomizer;
import org.springframework.boot.data.redis.autoconfigure.LettuceClientOptionsBuilderCustomizer;
import org.springframework.context.annotation.Bean;

/** Sets short time limits for Redis, because every answer can also be found without Redis. */
@AutoConfiguration(before = DataRedisAutoConfiguration.class)
class RedisTimeoutAutoConfiguration {

    private static final Duration CONNECT_MAX = Duration.ofMillis(500);
    private static final Duration COMMAND_MAX = Duration.ofMillis(200);
    private static final Duration RECONNECT_PAUSE_MAX = Duration.ofSeconds(2);

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
}
