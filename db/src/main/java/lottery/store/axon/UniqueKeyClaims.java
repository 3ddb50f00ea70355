package lottery.store.axon;

import java.util.Optional;
import lottery.store.commit.CommitUnit;
import lottery.store.commit.UniqueKeyClaim;
import lottery.store.commit.UniqueKeyTakenException;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Takes claims. A claim is a fact that is true once and for ever, such as a number that is booked. It is written in the
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
     * @throws UniqueKeyTakenException if this unit of work itself already takes a claim of the same name
     */
    public void take(UniqueKeyClaim claim) {
        CommitUnit taking = appender.unit();
        if (taking.names(claim.name())) {
            throw new UniqueKeyTakenException(claim);
        }
        taking.take(claim);
        // The current unit of work may be a nested one that fails while the outer one continues.
        CurrentUnitOfWork.get().onRollback(_ -> taking.forgetTaken(claim));
    }

    /** Returns the current holder of a claim. */
    public Optional<String> holderOf(String scope, String key) {
        return database.sql("SELECT holder FROM claim WHERE scope = ? AND key = ?")
                .params(scope, key)
                .query(String.class)
                .optional();
    }
}
