package lottery.store.command;

import lottery.store.commit.CounterExhaustedException;
import lottery.store.commit.UniqueKeyTakenException;
import lottery.store.log.OutcomeUnknownException;
import lottery.store.log.StoreBusyException;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.common.lock.LockAcquisitionFailedException;
import org.axonframework.modelling.command.AggregateNotFoundException;
import org.axonframework.modelling.command.AggregateStreamCreationException;
import org.axonframework.modelling.command.ConcurrencyException;

/** A command has no answer, because it failed or its outcome was not known in time. The cause says which of the two. */
public final class CommandFailedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** The kinds of failures, by what the sender can do about them. */
    public enum FailureKind {
        /** The aggregate does not exist. */
        NOT_FOUND,
        /** The command was to create the aggregate, but it exists already. */
        EXISTS,
        /** Nothing was stored. The same command may succeed later. */
        BUSY,
        /** It is not known whether the command has succeeded. */
        UNKNOWN,
        /** Anything else: a bug, or an outage of something that only the command needs. */
        OTHER
    }

    private final FailureKind kind;
    private final Throwable reason;

    private CommandFailedException(Object command, FailureKind kind, Throwable cause) {
        super(nameOf(command) + " has no answer: " + cause, cause);
        this.kind = kind;
        this.reason = cause;
    }

    static CommandFailedException because(Object command, Throwable cause) {
        return new CommandFailedException(command, kindOf(cause), cause);
    }

    /** Returns the exception for a command whose sender has stopped waiting. */
    static CommandFailedException unanswered(Object command, Exception cause) {
        return new CommandFailedException(command, FailureKind.UNKNOWN, cause);
    }

    /**
     * Returns the name of the command's class. The fields are left out, because they may contain personal data such as
     * an address.
     */
    private static String nameOf(Object command) {
        return command instanceof CommandMessage<?> message
                ? message.getPayloadType().getSimpleName()
                : command.getClass().getSimpleName();
    }

    public FailureKind kind() {
        return kind;
    }

    /** Returns the original exception, which is also the cause. */
    public Throwable reason() {
        return reason;
    }

    /**
     * Returns the exception that a caller throws if it cannot handle the failure. If possible, this is the original
     * exception, because its class shows whether the failure is an outage.
     */
    public RuntimeException causeOrSelf() {
        return reason instanceof RuntimeException thrown ? thrown : this;
    }

    private static FailureKind kindOf(Throwable cause) {
        return switch (cause) {
            case AggregateNotFoundException _ -> FailureKind.NOT_FOUND;
            case AggregateStreamCreationException _ -> FailureKind.EXISTS;
            case ConcurrencyException _ -> FailureKind.BUSY;
            case LockAcquisitionFailedException _ -> FailureKind.BUSY;
            case UniqueKeyTakenException _ -> FailureKind.BUSY;
            case CounterExhaustedException _ -> FailureKind.BUSY;
            case StoreBusyException _ -> FailureKind.BUSY;
            case OutcomeUnknownException _ -> FailureKind.UNKNOWN;
            default -> FailureKind.OTHER;
        };
    }
}
