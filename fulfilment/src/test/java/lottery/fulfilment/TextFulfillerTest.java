package lottery.fulfilment;

import static org.assertj.core.api.Assertions.assertThat;

import lottery.messaging.invoice.AwardResultCommandSender;
import lottery.store.command.CommandSender;
import org.axonframework.commandhandling.SimpleCommandBus;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.commandhandling.gateway.DefaultCommandGateway;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

@DisplayName("The fulfilment that ships with the product")
class TextFulfillerTest {

    private static final CommandGateway GATEWAY = DefaultCommandGateway.builder()
            .commandBus(SimpleCommandBus.builder().build())
            .build();

    private final ApplicationContextRunner context = new ApplicationContextRunner()
            .withBean(CommandGateway.class, () -> GATEWAY)
            .withBean(CommandSender.class, () -> new CommandSender(GATEWAY))
            .withUserConfiguration(
                    TextFulfiller.class,
                    CreditFulfiller.class,
                    EntitlementFulfiller.class,
                    AwardResultCommandSender.class);

    @Test
    @DisplayName("The fulfillers exist unless they are switched off.")
    void switchedOff() {
        context.run(running -> assertThat(running)
                .hasSingleBean(TextFulfiller.class)
                .hasSingleBean(CreditFulfiller.class)
                .hasSingleBean(EntitlementFulfiller.class));
        context.withPropertyValues("lottery.fulfilment.enabled=false")
                .run(running -> assertThat(running)
                        .doesNotHaveBean(TextFulfiller.class)
                        .doesNotHaveBean(CreditFulfiller.class));
        context.withPropertyValues("lottery.fulfilment.text.enabled=false")
                .run(running ->
                        assertThat(running).doesNotHaveBean(TextFulfiller.class).hasSingleBean(CreditFulfiller.class));
        context.withPropertyValues("lottery.fulfilment.entitlement.enabled=false")
                .run(running -> assertThat(running)
                        .hasSingleBean(TextFulfiller.class)
                        .doesNotHaveBean(EntitlementFulfiller.class));
        context.withPropertyValues("lottery.fulfilment.credit.enabled=false")
                .run(running ->
                        assertThat(running).hasSingleBean(TextFulfiller.class).doesNotHaveBean(CreditFulfiller.class));
    }
}
