package lottery.store.connection;

/** With its current settings, PostgreSQL may lose confirmed commits if it crashes. */
public final class PostgresNotDurableException extends RuntimeException {

    PostgresNotDurableException(String settings) {
        super("PostgreSQL may lose committed events in a crash, because these settings are off: " + settings);
    }
}
