package lottery.store.log;

/** With its current settings, PostgreSQL may lose confirmed commits if it crashes. */
public final class PostgresNotDurableException extends RuntimeException {

    PostgresNotDurableException(String settings) {
        super("PostgreSQL may lose what it has confirmed, because these are off: " + settings);
    }
}
