package lottery.store.log;

import java.util.Optional;
import java.util.function.Consumer;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Facts that are true once, such as a seat that is taken: written in the same commit as the events of the command that
 * claims them, so that there is never one without the other.
 */
public final class Claims {

    private final GroupCommitEngine engine;
    private final JdbcClient database;

    Claims(GroupCommitEngine engine, JdbcClient database) {
        this.engine = engine;
        this.database = database;
    }

    /** Claims it with the events of this unit of work, which fails with {@link ClaimTaken} if somebody has it. */
    public void take(Claim claim) {
        engine.unit().take(claim);
        undoWithThisUnit(unit -> unit.forgetTaken(claim));
    }

    /** Gives it back with the events of this unit of work, if it is still this holder's. */
    public void release(Claim claim) {
        engine.unit().release(claim);
        undoWithThisUnit(unit -> unit.forgetReleased(claim));
    }

    /** A nested unit of work may fail, and take its events with it, while the one around it goes on. */
    private void undoWithThisUnit(Consumer<CommitUnit> undo) {
        CommitUnit unit = engine.unit();
        CurrentUnitOfWork.get().onRollback(ended -> undo.accept(unit));
    }

    /** Who has it now. */
    public Optional<String> holderOf(String scope, String key) {
        return database.sql("SELECT holder FROM claim WHERE scope = ? AND key = ?")
                .params(scope, key)
                .query(String.class)
                .optional();
    }
}
