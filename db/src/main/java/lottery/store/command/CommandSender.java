package lottery.store.command;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import lottery.store.log.UniqueKeyTaken;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.messaging.GenericMessage;
import org.axonframework.messaging.unitofwork.DefaultUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.axonframework.modelling.command.ConcurrencyException;

/**
 * Sends commands, and waits for their answers for a limited time, all attempts together.
 *
 * <p>A command whose claim another node has taken is sent again: its aggregate then knows that and may choose another
 * claim. Nodes that take from one stock often want the same unit, most of all among the last ones.
 */
public final class CommandSender {

    private static final Duration ANSWER_WAIT_MAX = Duration.ofSeconds(5);

    private static final int CLAIM_ATTEMPTS_MAX = 20;

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
     * Sends a command, or a message with one.
     *
     * @return the answer of its handler
     * @throws CommandUnanswered if there is none; after an interrupt the thread stays interrupted
     */
    @SuppressWarnings("TypeParameterUnusedInFormals") // As in Axon's gateway: the caller knows what a handler answers.
    public <R> R send(Object command) {
        long endNanos = System.nanoTime() + answerWaitMax.toNanos();
        for (int attempt = 1; ; attempt++) {
            try {
                return gateway.<R>send(command).get(endNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (ExecutionException e) {
                Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
                if (!(cause instanceof UniqueKeyTaken) || attempt == CLAIM_ATTEMPTS_MAX) {
                    throw CommandUnanswered.because(command, cause);
                }
            } catch (TimeoutException e) {
                throw CommandUnanswered.unanswered(command, e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw CommandUnanswered.unanswered(command, e);
            }
        }
    }

    /**
     * Sends commands in one unit of work: one thread waits for one commit, where each command would wait for its own.
     * The commands are handled on this thread, one after the other. All are stored, or none is. Each locks its
     * aggregate until the commit, so two senders must take the same aggregates in the same order.
     *
     * @return the answers of their handlers, in the order of the commands
     * @throws CommandUnanswered because of any of the commands, or of the commit. If even the store does not know the
     *     outcome, all may be stored all the same: use this for commands that may come twice
     */
    public <R> List<R> sendAll(List<? extends CommandMessage<?>> commands) {
        try {
            try {
                return sendAllOnce(commands);
            } catch (ConcurrencyException stale) {
                // The next attempt reads again what another process has changed.
                return sendAllOnce(commands);
            }
        } catch (RuntimeException e) {
            throw CommandUnanswered.because(commands.getFirst(), e);
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

    @SuppressWarnings("TypeParameterUnusedInFormals") // As in send.
    private <R> R answerTo(CommandMessage<?> command) {
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
