package lottery.journey.grant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.award.AwardCommand.ConfirmDispatch;
import lottery.api.award.AwardRecordId;
import lottery.api.award.AwardState;
import lottery.api.strategy.AwardType;
import org.axonframework.commandhandling.CommandBus;
import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.commandhandling.NoHandlerForCommandException;
import org.axonframework.commandhandling.SimpleCommandBus;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.commandhandling.gateway.DefaultCommandGateway;
import org.axonframework.config.ConfigurerModule;
import org.axonframework.eventhandling.EventBus;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.GenericEventMessage;
import org.axonframework.eventhandling.SimpleEventBus;
import org.axonframework.lifecycle.Phase;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.DefaultUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.axonframework.serialization.Serializer;
import org.axonframework.serialization.jackson3.Jackson3Serializer;
import org.axonframework.spring.config.SpringAxonConfiguration;
import org.axonframework.springboot.autoconfig.AxonAutoConfiguration;
import org.axonframework.springboot.autoconfig.EventProcessingAutoConfiguration;
import org.axonframework.springboot.autoconfig.InfraConfiguration;
import org.axonframework.springboot.autoconfig.NoOpTransactionAutoConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
@DisplayName("The note that an invoice was sent")
class DispatchesTest {

    private static final AwardRecordId ID = AwardRecordId.of("award:0e-3f1c1f0e-6e43-8b6f-9d55-2f6f1f0a7c11");

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final List<CommandMessage<?>> received = new CopyOnWriteArrayList<>();
    private final SimpleCommandBus bus = SimpleCommandBus.builder().build();
    private final CommandGateway gateway =
            DefaultCommandGateway.builder().commandBus(bus).build();
    private final Dispatches dispatches = new Dispatches(DispatchesTest::runBeside, PATIENCE);
    private final UnitOfWork<EventMessage<String>> batch =
            DefaultUnitOfWork.startAndGet(GenericEventMessage.asEventMessage("won"));

    private Answer<AwardState> answer = Answer.done(AwardState.DISPATCHED);

    /** On another thread, as in life, where a command has a unit of work of its own; but the test can look at once. */
    private static void runBeside(Runnable task) {
        try {
            assertThat(Thread.startVirtualThread(task).join(Duration.ofSeconds(5)))
                    .isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void listen() {
        bus.subscribe(ConfirmDispatch.class.getName(), command -> {
            received.add(command);
            return answer;
        });
    }

    /** Else the next test would go on in the batch that a failed one has left. */
    @AfterEach
    void endBatches() {
        while (CurrentUnitOfWork.isStarted()) {
            CurrentUnitOfWork.get().rollback();
        }
    }

    @Test
    @DisplayName("is sent when the batch is committed, not before, and says what it follows from")
    void afterCommit() {
        batch.registerCorrelationDataProvider(message -> Map.of("traceId", message.getIdentifier()));
        dispatches.note(ID, AwardType.PHYSICAL, gateway);
        assertThat(received).isEmpty();

        batch.commit();

        assertThat(received).singleElement().satisfies(command -> {
            assertThat(command.getPayload()).isEqualTo(new ConfirmDispatch(ID));
            assertThat(command.getMetaData())
                    .containsEntry("traceId", batch.getMessage().getIdentifier());
        });
    }

    @Test
    @DisplayName("is not sent when the batch is rolled back")
    void rolledBack() {
        dispatches.note(ID, AwardType.PHYSICAL, gateway);
        batch.rollback();
        assertThat(received).isEmpty();
    }

    @Test
    @DisplayName("is logged with the award's id when it is refused, and harms nobody")
    void refused(CapturedOutput output) {
        answer = Answer.no(new Refused(Refusal.NOT_FOUND, ID.text()));
        dispatches.note(ID, AwardType.PHYSICAL, gateway);
        batch.commit();
        assertThat(output).contains(ID.text()).contains("NOT_FOUND");
    }

    @Test
    @DisplayName("is logged with the award's id when it fails, harms nobody, and keeps no place from those after it")
    void failed(CapturedOutput output) {
        bus.subscribe(ConfirmDispatch.class.getName(), command -> {
            received.add(command);
            throw new IllegalStateException("no database");
        });
        int manyMoreThanAtOnce = 300;
        for (int note = 0; note < manyMoreThanAtOnce; note++) {
            dispatches.note(ID, AwardType.PHYSICAL, gateway);
        }
        batch.commit();
        assertThat(output).contains(ID.text()).contains("no database");
        // Those that failed together are sent again, each alone.
        assertThat(Set.copyOf(
                        received.stream().map(CommandMessage::getIdentifier).toList()))
                .hasSize(manyMoreThanAtOnce);
    }

    @Test
    @DisplayName("gets its answer before the process stops, and after the processors have stopped, which send more")
    void stopped() throws Exception {
        CountDownLatch decided = new CountDownLatch(1);
        bus.subscribe(ConfirmDispatch.class.getName(), command -> {
            assertThat(decided.await(5, TimeUnit.SECONDS)).isTrue();
            received.add(command);
            return answer;
        });
        Dispatches beside = new Dispatches(Thread::startVirtualThread, PATIENCE);
        beside.start();
        beside.note(ID, AwardType.PHYSICAL, gateway);
        batch.commit();

        Thread stopping = Thread.startVirtualThread(beside::stop);
        assertThat(stopping.join(Duration.ofMillis(100))).isFalse();
        decided.countDown();
        assertThat(stopping.join(Duration.ofSeconds(5))).isTrue();

        assertThat(received).hasSize(1);
        assertThat(beside.getPhase()).isLessThan(SpringAxonConfiguration.LIFECYCLE_PHASE);
    }

    @Nested
    @DisplayName("on an award that is answered as a rule")
    class UnlessAnswered {

        private static final AwardRecordId OTHER = AwardRecordId.of("award:0e-3f1c1f0e-6e43-8b6f-9d55-2f6f1f0a7c12");

        @AfterEach
        void stop() {
            dispatches.stop();
        }

        @Test
        @DisplayName("is sent a while after the commit, and says what it follows from")
        void unanswered() {
            AtomicLong sentNanos = new AtomicLong();
            bus.subscribe(ConfirmDispatch.class.getName(), command -> {
                sentNanos.set(System.nanoTime());
                received.add(command);
                return answer;
            });
            dispatches.start();
            batch.registerCorrelationDataProvider(message -> Map.of("traceId", message.getIdentifier()));
            long begunNanos = System.nanoTime();
            dispatches.note(ID, AwardType.TEXT, gateway);
            batch.commit();
            await("the note").atMost(Duration.ofSeconds(10)).until(() -> !received.isEmpty());
            assertThat(Duration.ofNanos(sentNanos.get() - begunNanos)).isGreaterThanOrEqualTo(PATIENCE);
            assertThat(received).singleElement().satisfies(command -> {
                assertThat(command.getPayload()).isEqualTo(new ConfirmDispatch(ID));
                assertThat(command.getMetaData())
                        .containsEntry("traceId", batch.getMessage().getIdentifier());
            });
        }

        @Test
        @DisplayName("is not sent when something has happened to it meanwhile, but those on others are")
        void answered() {
            dispatches.note(ID, AwardType.TEXT, gateway);
            dispatches.note(OTHER, AwardType.TEXT, gateway);
            batch.commit();
            dispatches.forget(ID);
            dispatches.start();
            await("the other note").atMost(Duration.ofSeconds(10)).until(() -> !received.isEmpty());
            assertThat(received)
                    .<Object>extracting(CommandMessage::getPayload)
                    .containsExactly(new ConfirmDispatch(OTHER));
        }

        @Test
        @DisplayName("is sent before the process stops, without waiting any longer, and it can start again")
        void stopped() {
            Dispatches patient = new Dispatches(DispatchesTest::runBeside, Duration.ofHours(1));
            patient.start();
            patient.note(ID, AwardType.TEXT, gateway);
            batch.commit();
            assertThat(received).isEmpty();
            patient.finish();
            assertThat(received).hasSize(1);
            patient.stop();
            patient.start();
            UnitOfWork<?> later = DefaultUnitOfWork.startAndGet(GenericEventMessage.asEventMessage("more"));
            patient.note(OTHER, AwardType.TEXT, gateway);
            later.commit();
            patient.finish();
            assertThat(received).hasSize(2);
            patient.stop();
        }

        @Test
        @DisplayName("is not sent when the batch is rolled back")
        void rolledBack() {
            Dispatches patient = new Dispatches(DispatchesTest::runBeside, Duration.ofHours(1));
            patient.start();
            patient.note(ID, AwardType.TEXT, gateway);
            batch.rollback();
            patient.finish();
            assertThat(received).isEmpty();
        }

        @Test
        @DisplayName("is sent for an invoice that follows from what has happened, in the same batch")
        void released() {
            Dispatches patient = new Dispatches(DispatchesTest::runBeside, Duration.ofHours(1));
            patient.start();
            patient.forget(ID);
            patient.note(ID, AwardType.TEXT, gateway);
            batch.commit();
            patient.finish();
            assertThat(received).hasSize(1);
        }

        @Test
        @DisplayName("is logged with the award's id when it comes after the end")
        void tooLate(CapturedOutput output) {
            Dispatches patient = new Dispatches(DispatchesTest::runBeside, Duration.ofHours(1));
            patient.start();
            patient.finish();
            patient.note(ID, AwardType.TEXT, gateway);
            batch.commit();
            assertThat(received).isEmpty();
            assertThat(output).contains(ID.text()).contains("the process stops");
        }

        @Test
        @DisplayName(
                "is sent when a process of Spring's ends, after its processors, and while commands are still handled")
        void shutDown() {
            List<String> ended = new CopyOnWriteArrayList<>();
            new ApplicationContextRunner()
                    .withConfiguration(AutoConfigurations.of(
                            AxonAutoConfiguration.class,
                            EventProcessingAutoConfiguration.class,
                            InfraConfiguration.class,
                            NoOpTransactionAutoConfiguration.class))
                    .withBean(CommandBus.class, () -> bus)
                    .withBean(EventBus.class, () -> SimpleEventBus.builder().build())
                    .withBean(Dispatches.class, () -> new Dispatches(DispatchesTest::runBeside, Duration.ofHours(1)))
                    .withBean(Records.class, () -> new Records(ended))
                    .withBean(
                            ConfigurerModule.class,
                            () -> axon ->
                                    axon.onShutdown(Phase.INBOUND_EVENT_CONNECTORS, () -> ended.add("the processors")))
                    .withBean(
                            Serializer.class,
                            () -> Jackson3Serializer.builder().build(),
                            first -> first.setPrimary(true))
                    .run(process -> {
                        process.getBean(Dispatches.class).note(ID, AwardType.TEXT, gateway);
                        batch.commit();
                        assertThat(ended).isEmpty();
                    });
            assertThat(ended).containsExactly("the processors", new ConfirmDispatch(ID).toString());
            assertThatThrownBy(() -> gateway.sendAndWait(new ConfirmDispatch(ID), 5, TimeUnit.SECONDS))
                    .as("what comes later than that")
                    .isInstanceOf(NoHandlerForCommandException.class);
        }

        /** Taken from the bus when Axon shuts down, as the aggregates are. */
        static final class Records {

            private final List<String> handled;

            Records(List<String> handled) {
                this.handled = handled;
            }

            @CommandHandler(payloadType = ConfirmDispatch.class)
            Answer<AwardState> handle(CommandMessage<?> message) {
                handled.add(message.getPayload().toString());
                return Answer.done(AwardState.DISPATCHED);
            }
        }
    }
}
