package lottery.store.log;

/** The settings of PostgreSQL allow that it loses confirmed commits if it crashes. */
public final class PostgresNotDurable extends RuntimeException {

    PostgresNotDurable(String settings) {
        super("PostgreSQL may lose what it has confirmed, because these are off: " + settings);
    }
}
