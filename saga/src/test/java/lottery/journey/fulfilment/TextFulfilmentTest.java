package lottery.journey.fulfilment;

import static org.assertj.core.api.Assertions.assertThat;

import lottery.journey.grant.AwardAnswers;
import lottery.store.command.CommandSender;
import org.axonframework.commandhandling.SimpleCommandBus;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.commandhandling.gateway.DefaultCommandGateway;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

@DisplayName("The fulfilment that ships with the product")
class TextFulfilmentTest {

    private static final CommandGateway GATEWAY = DefaultCommandGateway.builder()
            .commandBus(SimpleCommandBus.builder().build())
            .build();

    private final ApplicationContextRunner context = new ApplicationContextRunner()
            .withBean(CommandGateway.class, () -> GATEWAY)
            .withBean(CommandSender.class, () -> new CommandSender(GATEWAY))
            .withUserConfiguration(TextFulfilment.class, CreditFulfilment.class, AwardAnswers.class);

    @Test
    @DisplayName("is there unless it is switched off")
    void switchedOff() {
        context.run(running ->
                assertThat(running).hasSingleBean(TextFulfilment.class).hasSingleBean(CreditFulfilment.class));
        context.withPropertyValues("lottery.fulfilment.enabled=false")
                .run(running -> assertThat(running)
                        .doesNotHaveBean(TextFulfilment.class)
                        .doesNotHaveBean(CreditFulfilment.class));
        context.withPropertyValues("lottery.fulfilment.text.enabled=false")
                .run(running -> assertThat(running)
                        .doesNotHaveBean(TextFulfilment.class)
                        .hasSingleBean(CreditFulfilment.class));
        context.withPropertyValues("lottery.fulfilment.credit.enabled=false")
                .run(running -> assertThat(running)
                        .hasSingleBean(TextFulfilment.class)
                        .doesNotHaveBean(CreditFulfilment.class));
    }
}
