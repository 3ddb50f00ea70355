package lottery.store.processing;

import java.io.EOFException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import lottery.store.axon.UnknownEventException;
import lottery.store.log.OutcomeUnknownException;
import lottery.store.log.StoreBusyException;
import org.axonframework.common.lock.LockAcquisitionFailedException;
import org.axonframework.eventhandling.tokenstore.UnableToClaimTokenException;
import org.axonframework.modelling.command.ConcurrencyException;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.transaction.CannotCreateTransactionException;

/**
 * Decides whether a failure is an outage: of a database, of a network, or of another kind that the application defines.
 */
public final class FailureClassifier {

    /**
     * The SQL states, and classes of SQL states, of outages: lost connections, transactions that took too long, scarce
     * resources, failed serialization, and a server that stops.
     */
    private static final List<String> STATES = List.of("08", "25P03", "25P04", "40", "53", "55", "57", "58");

    /** The SQL state of a statement that has waited too long for a lock. */
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    /** The message of the pool about a connection that it has closed, because it was broken. It has no state. */
    private static final String CLOSED_BY_POOL = "Connection is closed";

    private static final int CAUSES_MAX = 50;

    private final List<OutageClassifier> more;

    FailureClassifier(List<OutageClassifier> more) {
        this.more = List.copyOf(more);
    }

    /** Returns whether the failure or any of its causes is an outage; false for null. */
    public boolean isOutage(@Nullable Throwable failure) {
        @Nullable Throwable cause = failure;
        for (int depth = 0; cause != null && depth < CAUSES_MAX; depth++) {
            Throwable one = cause;
            cause = cause.getCause();
            if (isKnown(one) || more.stream().anyMatch(outages -> outages.isOutage(one))) {
                return true;
            }
        }
        return false;
    }

    /**
     * If the failure is a lock timeout, returns the lock that the statement has waited for. Then neither PostgreSQL nor
     * the event is at fault: another transaction holds the lock, perhaps one of a frozen process.
     */
    Optional<String> lockWaitedFor(@Nullable Throwable failure) {
        @Nullable Throwable cause = failure;
        for (int depth = 0; cause != null && depth < CAUSES_MAX; depth++) {
            if (cause instanceof SQLException sql && LOCK_NOT_AVAILABLE.equals(sql.getSQLState())) {
                return Optional.of(placeOf(sql));
            }
            cause = cause.getCause();
        }
        return Optional.empty();
    }

    private static String placeOf(SQLException failure) {
        ServerErrorMessage message = failure instanceof PSQLException server ? server.getServerErrorMessage() : null;
        String where = message == null ? null : message.getWhere();
        return where == null ? String.valueOf(failure.getMessage()) : where;
    }

    private static boolean isKnown(Throwable failure) {
        return switch (failure) {
            // A command that conflicted with another one at every attempt is no outage. It counts as one, because the
            // failure is temporary, too.
            case ConcurrencyException _ -> true;
            case LockAcquisitionFailedException _ -> true;
            case UnableToClaimTokenException _ -> true;
            case StoreBusyException _ -> true;
            case OutcomeUnknownException _ -> true;
            case UnknownEventException _ -> true;
            case TransientDataAccessException _ -> true;
            case DataAccessResourceFailureException _ -> true;
            case CannotCreateTransactionException _ -> true;
            case SQLTransientException _ -> true;
            case SQLRecoverableException _ -> true;
            case SQLNonTransientConnectionException _ -> true;
            case SQLException sql ->
                sql.getSQLState() == null
                        ? CLOSED_BY_POOL.equals(sql.getMessage())
                        : STATES.stream().anyMatch(sql.getSQLState()::startsWith);
            case SocketException _ -> true;
            case SocketTimeoutException _ -> true;
            case UnknownHostException _ -> true;
            case EOFException _ -> true;
            case TimeoutException _ -> true;
            default -> false;
        };
    }
}
