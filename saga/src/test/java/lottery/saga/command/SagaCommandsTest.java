package lottery.saga.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import lottery.api.Answer;
import lottery.api.Command;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.UserId;
import lottery.api.account.RechargeCommand.CloseRecharge;
import lottery.api.account.RechargeId;
import lottery.api.activity.ActivityCommand.StartActivity;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ActivityState;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.commandhandling.SimpleCommandBus;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.commandhandling.gateway.DefaultCommandGateway;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.GenericEventMessage;
import org.axonframework.messaging.unitofwork.DefaultUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.SmartLifecycle;

@ExtendWith(OutputCaptureExtension.class)
@DisplayName("A command of a saga")
class SagaCommandsTest {

    private static final RechargeId ID = RechargeId.of(new UserId("ann"), "payment");
    private static final CloseRecharge CLOSE = new CloseRecharge(ID);
    private static final StartActivity START = new StartActivity(new ActivityId(100));

    private final List<CommandMessage<?>> received = new CopyOnWriteArrayList<>();
    private final SimpleCommandBus bus = SimpleCommandBus.builder().build();
    private final CommandGateway gateway =
            DefaultCommandGateway.builder().commandBus(bus).build();
    private final UnitOfWork<EventMessage<String>> sweep =
            DefaultUnitOfWork.startAndGet(GenericEventMessage.asEventMessage("due"));

    private Answer<?> answer = Answer.done(ActivityState.DOING);

    /** Runs a task to its end on another thread, as in production, where a command has its own unit of work. */
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
        for (Command<?> command : List.of(CLOSE, START)) {
            bus.subscribe(command.getClass().getName(), message -> {
                received.add(message);
                return answer;
            });
        }
    }

    private void commit(Executor threads, int times) {
        commit(new SagaCommands(threads), times);
    }

    private void commit(SagaCommands sagaCommands, int times) {
        for (int i = 0; i < times; i++) {
            sagaCommands.sendAfterCommit(CLOSE, gateway);
        }
        sweep.commit();
    }

    @Test
    @DisplayName("A command is sent after the commit of its state, not before, with the trace of its request.")
    void afterCommit() {
        SagaCommands sagaCommands = new SagaCommands(SagaCommandsTest::runBeside);
        sweep.registerCorrelationDataProvider(message -> Map.of("traceId", message.getIdentifier()));
        sagaCommands.sendAfterCommit(CLOSE, gateway);
        sagaCommands.sendAfterCommit(START, gateway);
        assertThat(received).isEmpty();

        sweep.commit();

        assertThat(received).<Object>extracting(CommandMessage::getPayload).containsExactlyInAnyOrder(CLOSE, START);
        assertThat(received)
                .allSatisfy(command -> assertThat(command.getMetaData())
                        .containsEntry("traceId", sweep.getMessage().getIdentifier()));
    }

    @Test
    @DisplayName("A command that is added after the commit is sent too, even after others.")
    void duringThePhaseAfterTheCommit() {
        SagaCommands sagaCommands = new SagaCommands(SagaCommandsTest::runBeside);
        // Actions of this phase run from the last to the first: this one runs after that of the command below.
        sweep.afterCommit(_ -> sagaCommands.sendAfterCommit(START, gateway));
        sagaCommands.sendAfterCommit(CLOSE, gateway);
        sweep.commit();
        assertThat(received).<Object>extracting(CommandMessage::getPayload).containsExactly(CLOSE, START);
    }

    @Test
    @DisplayName("A command is not sent when the state is rolled back.")
    void rolledBack() {
        new SagaCommands(SagaCommandsTest::runBeside).sendAfterCommit(CLOSE, gateway);
        sweep.rollback();
        assertThat(received).isEmpty();
    }

    @Test
    @DisplayName("A refused command frees its permit.")
    void refused() {
        answer = Answer.no(new Refused(Refusal.NOT_FOUND, ID.text()));
        int manyMoreThanAtOnce = 40;
        commit(SagaCommandsTest::runBeside, manyMoreThanAtOnce);
        assertThat(received).hasSize(manyMoreThanAtOnce);
    }

    @Test
    @DisplayName("A failed command is logged with its subject, and frees its permit.")
    void failed(CapturedOutput output) {
        bus.subscribe(CloseRecharge.class.getName(), command -> {
            received.add(command);
            throw new IllegalStateException("no database");
        });
        int manyMoreThanAtOnce = 40;
        commit(SagaCommandsTest::runBeside, manyMoreThanAtOnce);
        assertThat(output).contains(ID.text()).contains("no database");
        assertThat(received).hasSize(manyMoreThanAtOnce);
    }

    @Test
    @DisplayName("A command waits for a permit behind others, so that many that are due at once are all sent.")
    void manyAtOnce(CapturedOutput output) {
        bus.subscribe(CloseRecharge.class.getName(), command -> {
            received.add(command);
            return answer;
        });
        int many = 200;
        commit(Thread::startVirtualThread, many);
        await().atMost(Duration.ofSeconds(10)).until(() -> received.size() == many);
        assertThat(output).doesNotContain("too much is under way");
    }

    @Test
    @DisplayName("A command waits for a permit within the limit of its batch, and is sent again later.")
    void nobodyAnswers(CapturedOutput output) {
        AtomicInteger started = new AtomicInteger();
        long begin = System.nanoTime();
        commit(new SagaCommands(task -> started.incrementAndGet(), Duration.ofMillis(300)), 16 + 20);
        assertThat(Duration.ofNanos(System.nanoTime() - begin))
                .isBetween(Duration.ofMillis(300), Duration.ofSeconds(3));
        assertThat(started).hasValue(16);
        assertThat(output)
                .containsOnlyOnce("which failed: too much is under way")
                .contains("and 19 more");
    }

    @Test
    @DisplayName("A command without a thread frees its permit, and those after it are sent.")
    void noThread(CapturedOutput output) {
        AtomicInteger tried = new AtomicInteger();
        int manyMoreThanAtOnce = 40;
        commit(
                task -> {
                    tried.incrementAndGet();
                    throw new RejectedExecutionException("no thread");
                },
                manyMoreThanAtOnce);
        assertThat(tried).hasValue(manyMoreThanAtOnce);
        assertThat(output).contains(ID.text()).contains("no thread").doesNotContain("too much is under way");
    }

    @Test
    @DisplayName("The process stops after the answers have come, and after the poller, which would send more.")
    void stopped() throws Exception {
        CountDownLatch decided = new CountDownLatch(1);
        bus.subscribe(CloseRecharge.class.getName(), command -> {
            assertThat(decided.await(5, TimeUnit.SECONDS)).isTrue();
            received.add(command);
            return answer;
        });
        SagaCommands sagaCommands = new SagaCommands(Thread::startVirtualThread);
        sagaCommands.start();
        sagaCommands.sendAfterCommit(CLOSE, gateway);
        sweep.commit();

        Thread stopping = Thread.startVirtualThread(sagaCommands::stop);
        assertThat(stopping.join(Duration.ofMillis(100))).isFalse();
        decided.countDown();
        assertThat(stopping.join(Duration.ofSeconds(5))).isTrue();

        assertThat(received).hasSize(1);
        assertThat(sagaCommands.isRunning()).isFalse();
        assertThat(sagaCommands.getPhase()).isLessThan(SmartLifecycle.DEFAULT_PHASE);
    }
}
