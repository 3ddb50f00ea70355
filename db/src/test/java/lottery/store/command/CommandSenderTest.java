package lottery.store.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import lottery.store.command.CommandFailedException.FailureKind;
import lottery.store.commit.TakenClaims;
import org.axonframework.commandhandling.AsynchronousCommandBus;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.commandhandling.gateway.DefaultCommandGateway;
import org.axonframework.common.lock.LockAcquisitionFailedException;
import org.axonframework.modelling.command.AggregateNotFoundException;
import org.axonframework.modelling.command.AggregateStreamCreationException;
import org.axonframework.modelling.command.ConcurrencyException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A sender of a command")
class CommandSenderTest {

    private static final Duration PATIENCE = Duration.ofMillis(200);

    private record Work(Callable<Object> todo) {}

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AsynchronousCommandBus bus =
            AsynchronousCommandBus.builder().executor(threads).build();
    private final CommandGateway gateway =
            DefaultCommandGateway.builder().commandBus(bus).build();
    private final AtomicInteger attempts = new AtomicInteger();

    CommandSenderTest() {
        bus.subscribe(Work.class.getName(), message -> {
            attempts.incrementAndGet();
            return ((Work) message.getPayload()).todo().call();
        });
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
    }

    private Object send(Callable<Object> todo) {
        return new CommandSender(gateway).send(new Work(todo));
    }

    @Test
    @DisplayName("gets the answer of its handler")
    void answered() {
        assertThat(send(() -> "done")).isEqualTo("done");
    }

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(new AggregateNotFoundException("1", "not there"), FailureKind.NOT_FOUND),
                Arguments.of(new AggregateStreamCreationException("there"), FailureKind.EXISTS),
                Arguments.of(new ConcurrencyException("another was faster"), FailureKind.BUSY),
                Arguments.of(new LockAcquisitionFailedException("held"), FailureKind.BUSY),
                Arguments.of(new TimeoutException("of something that the handler waited for"), FailureKind.OTHER),
                Arguments.of(new IllegalStateException("a bug"), FailureKind.OTHER),
                Arguments.of(new StackOverflowError(), FailureKind.OTHER));
    }

    @ParameterizedTest
    @MethodSource("failures")
    @DisplayName("is told the kind of a failure, and the failure itself, after one attempt")
    void failed(Throwable failure, FailureKind kind) {
        assertThatThrownBy(() -> send(() -> {
                    if (failure instanceof Error error) {
                        throw error;
                    }
                    throw (Exception) failure;
                }))
                .asInstanceOf(type(CommandFailedException.class))
                .satisfies(failed -> {
                    assertThat(failed.kind()).isEqualTo(kind);
                    assertThat(failed.reason()).isSameAs(failed.getCause()).hasSameClassAs(failure);
                });
        assertThat(attempts).hasValue(1);
    }

    @Test
    @DisplayName("sends it again where its claim was taken, and gives up after twenty attempts")
    void claimTaken() {
        assertThat(send(() -> {
                    if (attempts.get() < 20) {
                        throw TakenClaims.of("unit " + attempts.get());
                    }
                    return "the last one";
                }))
                .isEqualTo("the last one");

        attempts.set(0);
        assertThatThrownBy(() -> send(() -> {
                    throw TakenClaims.of("each unit");
                }))
                .asInstanceOf(type(CommandFailedException.class))
                .satisfies(failed -> assertThat(failed.kind()).isEqualTo(FailureKind.BUSY));
        assertThat(attempts).hasValue(20);
    }

    @Test
    @DisplayName("waits for a limited time")
    void late() {
        CountDownLatch never = new CountDownLatch(1);
        assertThatThrownBy(() ->
                        new CommandSender(gateway, PATIENCE).send(new Work(() -> never.await(1, TimeUnit.MINUTES))))
                .asInstanceOf(type(CommandFailedException.class))
                .satisfies(failed -> {
                    assertThat(failed.kind()).isEqualTo(FailureKind.UNKNOWN);
                    assertThat(failed.reason()).isInstanceOf(TimeoutException.class);
                });
    }

    @Test
    @DisplayName("stays interrupted after an interrupt")
    void interrupted() {
        CountDownLatch never = new CountDownLatch(1);
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> send(() -> never.await(1, TimeUnit.MINUTES)))
                    .asInstanceOf(type(CommandFailedException.class))
                    .satisfies(failed -> assertThat(failed.kind()).isEqualTo(FailureKind.UNKNOWN));
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }
}
