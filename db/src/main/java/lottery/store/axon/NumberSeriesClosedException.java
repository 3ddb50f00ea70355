package lottery.store.axon;

import lottery.store.commit.SeriesClosedException;
import org.axonframework.modelling.command.ConcurrencyException;

/**
 * A command tried to take a number from a closed series. Nothing of the command is stored. The command is handled
 * again, and its handler then sees that the series is closed.
 */
public final class NumberSeriesClosedException extends ConcurrencyException {

    private static final long serialVersionUID = 1;

    NumberSeriesClosedException(SeriesClosedException cause) {
        super(cause.getMessage(), cause);
    }
}
