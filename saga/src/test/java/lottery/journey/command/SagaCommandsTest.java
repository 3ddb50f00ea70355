package lottery.journey.command;

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
@DisplayName("What a journey asks for")
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
    @DisplayName("is sent when its new state is committed, not before, and says what it follows from")
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
    @DisplayName("is sent, too, if it is asked for after the commit, even when others were before")
    void duringThePhaseAfterTheCommit() {
        SagaCommands sagaCommands = new SagaCommands(SagaCommandsTest::runBeside);
        // Actions of this phase run from the last to the first: this one after that of the command below.
        sweep.afterCommit(_ -> sagaCommands.sendAfterCommit(START, gateway));
        sagaCommands.sendAfterCommit(CLOSE, gateway);
        sweep.commit();
        assertThat(received).<Object>extracting(CommandMessage::getPayload).containsExactly(CLOSE, START);
    }

    @Test
    @DisplayName("is not sent when the new state is rolled back")
    void rolledBack() {
        new SagaCommands(SagaCommandsTest::runBeside).sendAfterCommit(CLOSE, gateway);
        sweep.rollback();
        assertThat(received).isEmpty();
    }

    @Test
    @DisplayName("may be refused, and keeps no place from those after it")
    void refused() {
        answer = Answer.no(new Refused(Refusal.NOT_FOUND, ID.text()));
        int manyMoreThanAtOnce = 40;
        commit(SagaCommandsTest::runBeside, manyMoreThanAtOnce);
        assertThat(received).hasSize(manyMoreThanAtOnce);
    }

    @Test
    @DisplayName("may fail, which is in the log with what it was about, and keeps no place from those after it")
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
    @DisplayName("waits for a place behind others, so that many that are due at once are all sent")
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
    @DisplayName(
            "waits for a place no longer than all of its batch may, where nobody answers, and is asked for again later")
    void nobodyAnswers(CapturedOutput output) {
        AtomicInteger started = new AtomicInteger();
        long begin = System.nanoTime();
        commit(new SagaCommands(task -> started.incrementAndGet(), Duration.ofMillis(300)), 16 + 20);
        assertThat(Duration.ofNanos(System.nanoTime() - begin))
                .isBetween(Duration.ofMillis(300), Duration.ofSeconds(3));
        assertThat(started).hasValue(16);
        assertThat(output)
                .containsOnlyOnce("asked for again: too much is under way")
                .contains("and 19 more");
    }

    @Test
    @DisplayName("keeps no place from others, nor those after it from being sent, where it finds no thread")
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
    @DisplayName("gets its answer before the process stops, and after the sweep has stopped, which would ask for more")
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
