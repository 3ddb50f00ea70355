package lottery.payment.simulator;

import java.security.SecureRandom;
import java.time.InstantSource;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcOperations;

/** Configures the simulated provider, if it is one of the chosen providers. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnExpression(SimulatorConfiguration.IS_CHOSEN)
class SimulatorConfiguration {

    static final String IS_CHOSEN = "'${lottery.payments.providers:}'.contains('simulator')";

    @Bean
    SimulatedPaymentTable simulatedPaymentTable(JdbcOperations database) {
        return new SimulatedPaymentTable(database);
    }

    @Bean
    SimulatedProvider simulatedProvider(SimulatedPaymentTable table, InstantSource clock, SecureRandom random) {
        return new SimulatedProvider(table, clock, random);
    }
}
