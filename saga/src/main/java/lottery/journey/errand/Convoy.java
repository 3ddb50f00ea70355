package lottery.journey.errand;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import lottery.api.Answer;
import lottery.api.Command;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.messaging.GenericMessage;
import org.axonframework.messaging.Message;
import org.axonframework.messaging.unitofwork.DefaultUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.axonframework.modelling.command.ConcurrencyException;

/**
 * Commands that travel together, in one unit of work: one thread waits for one commit where each would wait for its
 * own. They are handled on the thread that sends them, one after the other.
 */
public final class Convoy {

    private Convoy() {}

    /**
     * All of them are stored, or none is. Each holds its aggregates until then: two convoys that meet at the same ones
     * have to come to them in the same order, which is that of the commands.
     *
     * @return the answers, in the order of the commands
     * @throws RuntimeException what became of the one that has failed, or of the commit; where even the store does not
     *     know its outcome, all may be stored all the same: it is for commands that may come twice
     */
    public static List<Answer<?>> send(
            List<? extends CommandMessage<? extends Command<?>>> commands, CommandGateway gateway) {
        try {
            return sendOnce(commands, gateway);
        } catch (ConcurrencyException stale) {
            // What another process has changed is read anew by who comes again; one by one it would be so, too.
            return sendOnce(commands, gateway);
        }
    }

    private static List<Answer<?>> sendOnce(
            List<? extends CommandMessage<? extends Command<?>>> commands, CommandGateway gateway) {
        Map<Message<?>, Answer<?>> answers = HashMap.newHashMap(commands.size());
        UnitOfWork<?> together = DefaultUnitOfWork.startAndGet(new GenericMessage<>(Convoy.class.getSimpleName()));
        try {
            commands.forEach(command -> answers.put(command, answerTo(command, gateway)));
        } catch (RuntimeException | Error e) {
            together.rollback(e);
            throw e;
        }
        together.commit();
        return commands.stream()
                .<Answer<?>>map(command -> Objects.requireNonNull(answers.get(command)))
                .toList();
    }

    private static Answer<?> answerTo(CommandMessage<?> command, CommandGateway gateway) {
        CompletableFuture<Answer<?>> answer = gateway.send(command);
        return switch (answer.state()) {
            case SUCCESS -> answer.resultNow();
            case FAILED ->
                throw answer.exceptionNow() instanceof RuntimeException why
                        ? why
                        : new IllegalStateException(answer.exceptionNow());
            case RUNNING, CANCELLED ->
                throw new IllegalStateException("a convoy needs a bus that handles commands on their sender's thread");
        };
    }
}
