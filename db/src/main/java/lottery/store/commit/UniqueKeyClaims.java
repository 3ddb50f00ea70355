package lottery.store.commit;

import java.util.Optional;
import java.util.function.Consumer;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Takes and releases claims. A claim is a fact that is true once, such as a seat that is taken. It is written in the
 * same commit as the events of its command, so neither exists without the other.
 */
public final class UniqueKeyClaims {

    private final UnitOfWorkAppender appender;
    private final JdbcClient database;

    UniqueKeyClaims(UnitOfWorkAppender appender, JdbcClient database) {
        this.appender = appender;
        this.database = database;
    }

    /**
     * Takes a claim in the commit of this unit of work. If the claim is already held, the unit of work fails with
     * {@link UniqueKeyTakenException}.
     *
     * @throws UniqueKeyTakenException if this unit of work itself already takes or releases a claim of the same name
     */
    public void take(UniqueKeyClaim claim) {
        CommitUnit taking = appender.unit();
        if (taking.names(claim.name())) {
            throw new UniqueKeyTakenException(claim);
        }
        taking.take(claim);
        undoWithThisUnit(unit -> unit.forgetTaken(claim));
    }

    /** Releases a claim with the events of this unit of work, if this holder still has it. */
    public void release(UniqueKeyClaim claim) {
        appender.unit().release(claim);
        undoWithThisUnit(unit -> unit.forgetReleased(claim));
    }

    /**
     * Undoes a change if the current unit of work rolls back. This may be a nested unit that fails while the outer unit
     * continues.
     */
    private void undoWithThisUnit(Consumer<CommitUnit> undo) {
        CommitUnit unit = appender.unit();
        CurrentUnitOfWork.get().onRollback(ended -> undo.accept(unit));
    }

    /** Returns the current holder of a claim. */
    public Optional<String> holderOf(String scope, String key) {
        return database.sql("SELECT holder FROM claim WHERE scope = ? AND key = ?")
                .params(scope, key)
                .query(String.class)
                .optional();
    }
}
