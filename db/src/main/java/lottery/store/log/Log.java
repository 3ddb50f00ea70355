package lottery.store.log;

import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import lottery.store.loop.BackgroundLoop.LoopTask;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * A log: one schema of a PostgreSQL database, with its events, claims, counters, tokens, sagas and read models. A
 * thread works in one log at a time. SQL that names no log goes to the current one; without another one, that is the
 * home log.
 */
public final class Log {

    /** The number of the home log. */
    static final int HOME = 0;

    private static final ScopedValue<Log> CURRENT = ScopedValue.newInstance();

    private final int number;
    private final DataSource connections;
    private final @Nullable LogPool guarded;
    private final JdbcClient joined;
    private final JdbcClient apart;

    /**
     * @param connections to the schema of this log
     * @param routed connections to the schema of the current log, which transactions are made with
     */
    Log(int number, DataSource connections, DataSource routed) {
        this.number = number;
        this.guarded = connections instanceof LogPool several ? several : null;
        this.connections = connections;
        this.joined = JdbcClient.create(routed);
        this.apart = JdbcClient.create(connections);
    }

    /** Returns whether there are several logs, and this one has not answered for some seconds. */
    public boolean isAway() {
        return guarded != null && guarded.isAway();
    }

    /** Lets others know whether this log answers, if there are several logs. */
    Optional<LogPool> guarded() {
        return Optional.ofNullable(guarded);
    }

    public int number() {
        return number;
    }

    /** Returns the number with two digits, as settings and schemas have it. */
    public String name() {
        return nameOf(number);
    }

    /** Returns the name of the log with this number. A formatter would use the digits of the default locale. */
    public static String nameOf(int number) {
        return number < 10 ? "0" + number : Integer.toString(number);
    }

    /** Returns the name of the schema of a log, which is not the home log. */
    public static String schemaOf(int number) {
        return "log_" + nameOf(number);
    }

    /** Returns the address of a database with the schema of a log, which is not the home log, as the current one. */
    public static String urlOf(int number, String database) {
        return database + (database.contains("?") ? "&" : "?") + "currentSchema=" + schemaOf(number);
    }

    public boolean isHome() {
        return number == HOME;
    }

    /** Returns connections to the schema of this log. If it counts as away, it gives none. */
    public DataSource pool() {
        return connections;
    }

    /** Returns connections even if the log counts as away, for those that have to find out whether it answers. */
    public DataSource unguardedPool() {
        return guarded == null ? connections : guarded.unguarded();
    }

    /** Returns the number of the current log of this thread. */
    static int currentNumber() {
        return CURRENT.isBound() ? CURRENT.get().number : HOME;
    }

    private boolean isCurrent() {
        return currentNumber() == number;
    }

    /** Returns what executes SQL in this log: in the current transaction, if this is the current log. */
    public JdbcClient sql() {
        return isCurrent() ? joined : apart;
    }

    /** Returns what executes SQL in this log, always on a connection of its own, and in no transaction. */
    public JdbcClient sqlApart() {
        return apart;
    }

    /**
     * Does some work with this as the current log.
     *
     * @throws IllegalStateException if a transaction of another log is open, because the work would get its connection
     */
    public <R, X extends Throwable> R call(ScopedValue.CallableOp<R, X> work) throws X {
        if (isCurrent()) {
            return work.call();
        }
        if (TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new IllegalStateException(
                    "a transaction of another log is open, and log %s was asked".formatted(name()));
        }
        return ScopedValue.where(CURRENT, this).call(work);
    }

    /** Returns work that another thread does in the log in which this thread works now. */
    public static <R> Supplier<R> carry(Supplier<R> work) {
        if (!CURRENT.isBound()) {
            return work;
        }
        Log current = CURRENT.get();
        return () -> current.call(work::get);
    }

    /** Does some work with this as the current log. */
    public void run(Runnable work) {
        call(() -> {
            work.run();
            return true;
        });
    }

    /** Returns a task that runs with this as the current log. */
    public LoopTask bind(LoopTask task) {
        return () -> call(() -> {
            task.run();
            return true;
        });
    }

    @Override
    public String toString() {
        return "log " + name();
    }
}
