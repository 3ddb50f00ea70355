package lottery.store.command;

import lottery.store.log.OutcomeUnknown;
import lottery.store.log.StoreBusy;
import lottery.store.log.UniqueKeyTaken;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.common.lock.LockAcquisitionFailedException;
import org.axonframework.modelling.command.AggregateNotFoundException;
import org.axonframework.modelling.command.AggregateStreamCreationException;
import org.axonframework.modelling.command.ConcurrencyException;

/** A command has no answer: it failed, or its outcome was not known in time. The cause says which. */
public final class CommandUnanswered extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** The kinds of failures, by what the sender can do about them. */
    public enum Kind {
        /** The aggregate does not exist. */
        NOT_FOUND,
        /** The aggregate was to be created, but exists. */
        EXISTS,
        /** Nothing was done. The same command may succeed later. */
        BUSY,
        /** It is not known whether the command has succeeded. */
        UNKNOWN,
        /** Anything else: a bug, or an outage of something that only the command needs. */
        OTHER
    }

    private final Kind kind;
    private final Throwable reason;

    private CommandUnanswered(Object command, Kind kind, Throwable cause) {
        super(nameOf(command) + " has no answer: " + cause, cause);
        this.kind = kind;
        this.reason = cause;
    }

    static CommandUnanswered because(Object command, Throwable cause) {
        return new CommandUnanswered(command, kindOf(cause), cause);
    }

    /** Returns the failure of a command whose sender waits no longer. */
    static CommandUnanswered unanswered(Object command, Exception cause) {
        return new CommandUnanswered(command, Kind.UNKNOWN, cause);
    }

    /** Returns the name of the command only: its fields may say where somebody lives. */
    private static String nameOf(Object command) {
        return command instanceof CommandMessage<?> message
                ? message.getPayloadType().getSimpleName()
                : command.getClass().getSimpleName();
    }

    public Kind kind() {
        return kind;
    }

    /** Returns what was thrown, which is also the cause. */
    public Throwable reason() {
        return reason;
    }

    /**
     * Returns the exception to throw where no caller can help: the reason itself, whose class says whether it is an
     * outage.
     */
    public RuntimeException asThrown() {
        return reason instanceof RuntimeException thrown ? thrown : this;
    }

    private static Kind kindOf(Throwable cause) {
        return switch (cause) {
            case AggregateNotFoundException _ -> Kind.NOT_FOUND;
            case AggregateStreamCreationException _ -> Kind.EXISTS;
            case ConcurrencyException _ -> Kind.BUSY;
            case LockAcquisitionFailedException _ -> Kind.BUSY;
            case UniqueKeyTaken _ -> Kind.BUSY;
            case StoreBusy _ -> Kind.BUSY;
            case OutcomeUnknown _ -> Kind.UNKNOWN;
            default -> Kind.OTHER;
        };
    }
}
