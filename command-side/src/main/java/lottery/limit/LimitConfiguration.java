package lottery.limit;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Configures the limits of callers, for each process that has callers. */
@Configuration(proxyBeanMethods = false)
public class LimitConfiguration {

    @Bean
    SharedBuckets callerBuckets(StringRedisTemplate redis) {
        return new SharedBuckets(redis.getRequiredConnectionFactory());
    }
}
