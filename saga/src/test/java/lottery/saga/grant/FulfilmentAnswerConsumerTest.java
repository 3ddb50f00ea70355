package lottery.saga.grant;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import lottery.api.Answer;
import lottery.api.award.AwardCommand.GrantAward;
import lottery.api.award.AwardState;
import lottery.messaging.invoice.AwardResultCommandSender;
import lottery.messaging.invoice.FulfilmentAnswerReader;
import lottery.store.command.CommandSender;
import lottery.store.processing.FailureClassifier;
import lottery.store.processing.OutageClassifier;
import lottery.store.trace.TraceId;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.axonframework.commandhandling.SimpleCommandBus;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.commandhandling.gateway.DefaultCommandGateway;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

@DisplayName("Answers of one batch")
class FulfilmentAnswerConsumerTest {

    private static final String ID = "award:0e-3f1c1f0e-6e43-8b6f-9d55-2f6f1f0a7c1";

    private final List<Object> granted = new CopyOnWriteArrayList<>();
    private final List<TraceId> traces = new CopyOnWriteArrayList<>();
    private final Set<UnitOfWork<?>> roots = new HashSet<>();

    private static TraceId traceOf(int number) {
        return new TraceId("4bf92f3577b34da6a3ce929d0e0e473" + number);
    }

    private static ConsumerRecord<String, byte[]> answer(int number) {
        String json = "{\"awardRecordId\":\"" + ID + number + "\",\"result\":\"GRANTED\",\"reference\":\"r\"}";
        ConsumerRecord<String, byte[]> message =
                new ConsumerRecord<>("lottery_fulfilment", 0, number, ID + number, json.getBytes(UTF_8));
        Map.of("ce_specversion", "1.0", "ce_id", "1", "ce_source", "/a", "ce_type", "lottery.fulfilment.v1")
                .forEach((name, value) -> message.headers().add(name, value.getBytes(UTF_8)));
        message.headers().add("traceparent", traceOf(number).traceparent("1").getBytes(UTF_8));
        return message;
    }

    @Test
    @DisplayName("All answers are handled in one unit of work, each with the trace of its request.")
    void together() {
        SimpleCommandBus bus = SimpleCommandBus.builder().build();
        bus.subscribe(GrantAward.class.getName(), message -> {
            granted.add(((GrantAward) message.getPayload()).awardRecordId().text());
            roots.add(CurrentUnitOfWork.get().root());
            traces.add(TraceId.in(message).orElseThrow());
            return Answer.done(AwardState.GRANTED);
        });
        CommandGateway gateway = DefaultCommandGateway.builder().commandBus(bus).build();
        new ApplicationContextRunner()
                .withBean(CommandSender.class, () -> new CommandSender(gateway))
                .withBean(OutageClassifier.class, () -> failure -> false)
                .withUserConfiguration(
                        FulfilmentAnswerConsumer.class,
                        FulfilmentAnswerReader.class,
                        AwardResultCommandSender.class,
                        FailureClassifier.class)
                .run(running ->
                        running.getBean(FulfilmentAnswerConsumer.class).on(List.of(answer(2), answer(1), answer(3))));
        assertThat(granted).containsExactly(ID + 1, ID + 2, ID + 3);
        assertThat(roots).hasSize(1);
        assertThat(traces).containsExactly(traceOf(1), traceOf(2), traceOf(3));
    }
}
