package lottery.store.pace;

import lottery.store.processing.Reached;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The pace of this process. */
@AutoConfiguration(after = JdbcClientAutoConfiguration.class)
class PaceAutoConfiguration {

    @Bean
    Pace pace(JdbcClient database, Reached reached) {
        return new Pace(new Progress(database, reached)::read, Regulator.COLD_SPEED);
    }
}
