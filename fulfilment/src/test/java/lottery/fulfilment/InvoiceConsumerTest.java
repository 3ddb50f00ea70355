package lottery.fulfilment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import lottery.api.Answer;
import lottery.api.award.AwardCommand.GrantAward;
import lottery.api.award.AwardState;
import lottery.messaging.UnreadableMessageException;
import lottery.messaging.invoice.AwardFulfillers;
import lottery.messaging.invoice.AwardResultCommandSender;
import lottery.store.command.CommandSender;
import lottery.store.processing.FailureClassifier;
import lottery.store.processing.OutageClassifier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.axonframework.commandhandling.SimpleCommandBus;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.commandhandling.gateway.DefaultCommandGateway;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

@DisplayName("The consumer of invoices")
class InvoiceConsumerTest {

    private static final String ID = "award:0e-3f1c1f0e-6e43-8b6f-9d55-2f6f1f0a7c11";
    private static final String TEXT_OFF = "lottery.fulfilment.text.enabled=false";

    private final List<String> granted = new CopyOnWriteArrayList<>();
    private final SimpleCommandBus bus = SimpleCommandBus.builder().build();
    private final CommandGateway gateway =
            DefaultCommandGateway.builder().commandBus(bus).build();
    private final ApplicationContextRunner context = new ApplicationContextRunner()
            .withBean(CommandGateway.class, () -> gateway)
            .withBean(CommandSender.class, () -> new CommandSender(gateway))
            .withBean(OutageClassifier.class, () -> failure -> false)
            .withUserConfiguration(
                    InvoiceConsumer.class,
                    TextFulfiller.class,
                    AwardFulfillers.class,
                    AwardResultCommandSender.class,
                    FailureClassifier.class);

    @BeforeEach
    void records() {
        bus.subscribe(GrantAward.class.getName(), message -> {
            granted.add(((GrantAward) message.getPayload()).awardRecordId().text());
            return Answer.done(AwardState.GRANTED);
        });
    }

    private void with(String setting, Consumer<InvoiceConsumer> test) {
        context.withPropertyValues(setting).run(running -> test.accept(running.getBean(InvoiceConsumer.class)));
    }

    private static ConsumerRecord<String, byte[]> invoice(String type) {
        return message(
                "{'awardRecordId':'%s','userId':'ann','activityId':100,'award':{'awardId':1,'title':'Tea'},'type':'%s','content':{},'attempt':1}"
                        .formatted(ID, type));
    }

    private static ConsumerRecord<String, byte[]> message(String json) {
        ConsumerRecord<String, byte[]> message = new ConsumerRecord<>(
                "lottery_invoice", 0, 0, "ann", json.replace('\'', '"').getBytes(UTF_8));
        Map.of("ce_specversion", "1.0", "ce_id", "1", "ce_source", "/a", "ce_type", "lottery.invoice.v1")
                .forEach((name, value) -> message.headers().add(name, value.getBytes(UTF_8)));
        return message;
    }

    private static void read(InvoiceConsumer reader, ConsumerRecord<String, byte[]> message) {
        read(reader, List.of(message));
    }

    private static void read(InvoiceConsumer reader, List<ConsumerRecord<String, byte[]>> messages) {
        try {
            reader.on(messages);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {TEXT_OFF, "lottery.fulfilment.text.enabled=true"})
    @DisplayName("An unreadable invoice is reported, even if TEXT is left to other systems.")
    void unreadable(String setting) {
        with(
                setting,
                reader -> assertThatThrownBy(() -> read(reader, message("{'awardRecordId':'award")))
                        .hasCauseInstanceOf(UnreadableMessageException.class));
    }

    @Test
    @DisplayName("TEXT awards are handed over, unless they are left to other systems too.")
    void text() {
        with(TEXT_OFF, reader -> read(reader, invoice("TEXT")));
        assertThat(granted).isEmpty();
        with("lottery.fulfilment.code.enabled=false", reader -> {
            read(reader, invoice("CODE"));
            read(reader, invoice("TEXT"));
        });
        assertThat(granted).containsExactly(ID);
    }

    @Test
    @DisplayName("An award with two invoices in a batch is handed over once.")
    void twice() {
        with("lottery.fulfilment.text.enabled=true", reader -> read(reader, List.of(invoice("TEXT"), invoice("TEXT"))));
        assertThat(granted).containsExactly(ID);
    }

    @Test
    @DisplayName("There is no consumer if all awards are left to other systems.")
    void switchedOff() {
        context.withPropertyValues("lottery.fulfilment.enabled=false")
                .run(running -> assertThat(running).doesNotHaveBean(InvoiceConsumer.class));
    }
}
