package lottery.payment.simulator;

import java.security.SecureRandom;
import java.time.InstantSource;
import lottery.store.log.HomeLog;
import lottery.store.loop.BackgroundLoop;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcOperations;

/** Configures the simulated provider, if it is one of the chosen providers. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnExpression(SimulatorConfiguration.IS_CHOSEN)
class SimulatorConfiguration {

    static final String IS_CHOSEN =
            "'${lottery.payments.providers:}'.replace(' ', '').split(',').?[#this == 'simulator'].length == 1";

    @Bean
    SimulatedPaymentTable simulatedPaymentTable(@HomeLog JdbcOperations database) {
        return new SimulatedPaymentTable(database);
    }

    @Bean
    SimulatedProvider simulatedProvider(SimulatedPaymentTable table, InstantSource clock, SecureRandom random) {
        return new SimulatedProvider(table, clock, random);
    }

    @Bean
    SimulatedMessenger simulatedMessenger(
            SimulatedProvider provider, SimulatedPaymentTable table, InstantSource clock, Environment environment) {
        return new SimulatedMessenger(provider, table, clock, environment);
    }

    @Bean
    BackgroundLoop simulatedMessengerLoop(SimulatedMessenger messenger) {
        return messenger.loop();
    }
}
