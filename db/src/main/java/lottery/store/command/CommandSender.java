package lottery.store.command;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import lottery.store.commit.CounterExhaustedException;
import lottery.store.commit.UniqueKeyTakenException;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.common.lock.LockAcquisitionFailedException;
import org.axonframework.messaging.GenericMessage;
import org.axonframework.messaging.unitofwork.DefaultUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.axonframework.modelling.command.ConcurrencyException;

/**
 * Sends commands and waits for their answers. All attempts to send a command share one time limit.
 *
 * <p>If another command has taken the claim that a command wanted, or the last of a limited thing, the command is sent
 * again. It is then decided by what is taken.
 */
public final class CommandSender {

    private static final Duration ANSWER_WAIT_MAX = Duration.ofSeconds(5);

    private static final int DECISIONS_MAX = 20;

    private final CommandGateway gateway;
    private final Duration answerWaitMax;

    public CommandSender(CommandGateway gateway) {
        this(gateway, ANSWER_WAIT_MAX);
    }

    CommandSender(CommandGateway gateway, Duration answerWaitMax) {
        this.gateway = gateway;
        this.answerWaitMax = answerWaitMax;
    }

    /**
     * Sends a command, or a command message.
     *
     * @return the answer of its handler
     * @throws CommandFailedException if there is no answer. After an interrupt, the interrupt status of the thread
     *     stays set
     */
    @SuppressWarnings("TypeParameterUnusedInFormals") // As in Axon's gateway, the caller knows the type of the answer.
    public <R> R send(Object command) {
        long endNanos = System.nanoTime() + answerWaitMax.toNanos();
        for (int attempt = 1; ; attempt++) {
            try {
                return gateway.<R>send(command).get(endNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (ExecutionException e) {
                Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
                if (!isTaken(cause) || attempt == DECISIONS_MAX) {
                    throw CommandFailedException.because(command, cause);
                }
            } catch (TimeoutException e) {
                throw CommandFailedException.unanswered(command, e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw CommandFailedException.unanswered(command, e);
            }
        }
    }

    /** Returns whether the command has failed because of what other commands have taken. */
    private static boolean isTaken(Throwable failure) {
        return failure instanceof UniqueKeyTakenException || failure instanceof CounterExhaustedException;
    }

    /**
     * Sends commands in one unit of work, so that the caller waits for one commit instead of one commit per command.
     * The commands are handled on this thread, one after the other. The events of all commands are stored, or none.
     * Each command locks its aggregate until the commit. Therefore all senders must use the same order of aggregates.
     * Otherwise two senders could block each other.
     *
     * @return the answers of their handlers, in the order of the commands
     * @throws CommandFailedException if any command or the commit fails. If the outcome of the commit is unknown, all
     *     events may be stored nevertheless. Therefore use this method only for commands that may be repeated
     */
    public <R> List<R> sendAll(List<? extends CommandMessage<?>> commands) {
        try {
            try {
                return sendAllOnce(commands);
            } catch (ConcurrencyException | CounterExhaustedException | LockAcquisitionFailedException stale) {
                // The next attempt reads the state that others have changed, or finds the locks free.
                return sendAllOnce(commands);
            }
        } catch (RuntimeException e) {
            throw CommandFailedException.because(commands.getFirst(), e);
        }
    }

    private <R> List<R> sendAllOnce(List<? extends CommandMessage<?>> commands) {
        List<R> answers = new ArrayList<>();
        UnitOfWork<?> together = DefaultUnitOfWork.startAndGet(new GenericMessage<>("commands"));
        try {
            commands.forEach(command -> answers.add(answerTo(command)));
        } catch (RuntimeException | Error e) {
            together.rollback(e);
            throw e;
        }
        together.commit();
        return answers;
    }

    /**
     * Sends a command that is handled now, on this thread, as a part of the current unit of work. Its events are
     * committed together with those of its sender, or not at all. The aggregate of the command is locked until then.
     */
    @SuppressWarnings("TypeParameterUnusedInFormals") // As in send.
    public <R> R sendWithin(Object command) {
        return answerTo(command);
    }

    @SuppressWarnings("TypeParameterUnusedInFormals") // As in send.
    private <R> R answerTo(Object command) {
        CompletableFuture<R> answer = gateway.send(command);
        return switch (answer.state()) {
            case SUCCESS -> answer.resultNow();
            case FAILED ->
                throw answer.exceptionNow() instanceof RuntimeException why
                        ? why
                        : new IllegalStateException(answer.exceptionNow());
            case RUNNING, CANCELLED ->
                throw new IllegalStateException("the bus does not handle commands on their sender's thread");
        };
    }
}
