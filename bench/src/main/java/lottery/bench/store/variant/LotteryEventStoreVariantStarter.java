package lottery.bench.store.variant;

import lottery.bench.store.variant.StoreVariant.Table;
import lottery.store.EventTypes;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.config.ConfigurerModule;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** Starts the lottery's store as an application does, by autoconfiguration from the class path. */
@EnableAutoConfiguration
public class LotteryEventStoreVariantStarter {

    private static final StoreVariantKind ENTRY = StoreVariantKind.OURS;

    @Bean
    static EventTypes eventTypes() {
        return BenchmarkDrawFact.TYPES;
    }

    @Bean
    static ConfigurerModule aggregates() {
        return BenchmarkAggregateRegistration::register;
    }

    public static AxonVariant start(BenchmarkConnectionFactory target) {
        ConfigurableApplicationContext context = context(target, true);
        return new AxonVariant(
                ENTRY,
                new Table(ENTRY.schema(), "event", "position"),
                context.getBean(CommandGateway.class),
                context.getBean(EventStore.class),
                context::close);
    }

    /** Starts the store. Only one process creates the tables. */
    public static ConfigurableApplicationContext context(BenchmarkConnectionFactory target, boolean makesTables) {
        return new SpringApplicationBuilder(LotteryEventStoreVariantStarter.class)
                .web(WebApplicationType.NONE)
                .run(
                        "--spring.main.banner-mode=off",
                        "--logging.level.root=warn",
                        "--lottery.embedded.servers=",
                        "--spring.threads.virtual.enabled=true",
                        "--spring.datasource.url=" + target.url("&currentSchema=" + ENTRY.schema()),
                        "--spring.datasource.username=" + target.user(),
                        "--spring.datasource.password=" + target.password(),
                        "--spring.datasource.hikari.maximum-pool-size=12",
                        "--spring.flyway.enabled=" + makesTables,
                        "--spring.flyway.default-schema=" + ENTRY.schema());
    }
}
