package lottery.store.pace;

import java.time.Duration;
import java.time.InstantSource;
import lottery.store.processing.ProcessorPositionAwaiter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Configures the admission control of this process, and the limits that it shares with other processes. */
@AutoConfiguration(after = {JdbcClientAutoConfiguration.class, DataRedisAutoConfiguration.class})
class AdmissionAutoConfiguration {

    @Bean
    AdmissionControl pace(JdbcClient database, ProcessorPositionAwaiter positionAwaiter) {
        return new AdmissionControl(
                new ProcessorProgressReader(database, positionAwaiter)::read, AdmissionRateController.COLD_SPEED);
    }

    @Bean
    RateLimitExchange rateLimits(StringRedisTemplate redis) {
        return new RateLimitExchange(new RedisTakenUnitsStream(redis));
    }

    /** Blocks no caller unless the application sets a limit. */
    @Bean
    CallerBlocklist blockedCallers(
            StringRedisTemplate redis,
            ObjectProvider<InstantSource> clock,
            @Value("${lottery.limits.player-refusals:0}") int refusalsMax,
            @Value("${lottery.limits.player-block:10m}") Duration length) {
        return new CallerBlocklist(
                new RedisBlocks(redis, length),
                clock.getIfAvailable(InstantSource::system),
                System::nanoTime,
                refusalsMax,
                length);
    }
}
