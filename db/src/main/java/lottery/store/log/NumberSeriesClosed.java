package lottery.store.log;

import org.axonframework.modelling.command.ConcurrencyException;

/**
 * A command wanted a number of a series that is closed. Nothing of the command is stored. It is handled again, and its
 * handler then finds the series closed.
 */
public final class NumberSeriesClosed extends ConcurrencyException {

    private static final long serialVersionUID = 1;

    NumberSeriesClosed(String series) {
        super(series + " is closed, and gives no more numbers");
    }
}
