package lottery;

import lottery.api.Command;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.modelling.command.CommandTargetResolver;
import org.axonframework.modelling.command.VersionedAggregateIdentifier;

/**
 * Reads the aggregate's id from the command itself, because Axon's own resolver searches for annotations at each
 * command.
 */
public final class CommandTargets implements CommandTargetResolver {

    @Override
    public VersionedAggregateIdentifier resolveTarget(CommandMessage<?> message) {
        if (message.getPayload() instanceof Command<?> command) {
            Object target = command.target().text();
            return new VersionedAggregateIdentifier(target, null);
        }
        throw new IllegalArgumentException(message.getCommandName() + " is no command of the lottery");
    }
}
