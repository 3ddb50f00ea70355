package lottery.store.log;

/** PostgreSQL is set up so that a crash of it loses what it has confirmed. */
public final class PostgresNotDurable extends RuntimeException {

    PostgresNotDurable(String settings) {
        super("PostgreSQL may lose what it has confirmed, because these are off: " + settings);
    }
}
