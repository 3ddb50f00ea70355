package lottery.store.pace;

import lottery.store.log.Logs;
import lottery.store.processing.ProcessorPositionAwaiter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Configures the admission control of this process. */
@AutoConfiguration(after = JdbcClientAutoConfiguration.class)
class AdmissionAutoConfiguration {

    @Bean
    AdmissionControl pace(Logs logs, JdbcClient database, ProcessorPositionAwaiter positionAwaiter) {
        ProcessorProgressReader reader = new ProcessorProgressReader(database, positionAwaiter);
        return new AdmissionControl(
                logs,
                log -> new LogAdmissionControl(
                        begun -> log.call(() -> reader.read(begun)), AdmissionRateController.COLD_SPEED));
    }
}
