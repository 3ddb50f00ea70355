package lottery.store.pace;

import lottery.store.processing.ProcessorPositionAwaiter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Configures the admission control of this process. */
@AutoConfiguration(after = JdbcClientAutoConfiguration.class)
class AdmissionAutoConfiguration {

    @Bean
    AdmissionControl pace(JdbcClient database, ProcessorPositionAwaiter positionAwaiter) {
        return new AdmissionControl(
                new ProcessorProgressReader(database, positionAwaiter)::read, AdmissionRateController.COLD_SPEED);
    }
}
