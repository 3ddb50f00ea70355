package lottery.view.account;

import lottery.api.account.AccountEvent;
import lottery.store.projection.Projection;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.SequenceNumber;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Component;

/** Projects accounts to PostgreSQL; {@link AccountReadModel} keeps them in Redis. */
@Component
@ProcessingGroup("accounts")
class AccountProjection extends Projection<AccountKey, AccountState> {

    AccountProjection(JdbcOperations database) {
        super(database, "view_account", AccountKey.class, AccountState.class);
    }

    @EventHandler
    void on(AccountEvent event, @SequenceNumber long sequence) {
        change(
                AccountKey.of(event.activityId(), event.userId()),
                before -> (before == null ? AccountState.UNBORN : before).evolve(event, sequence));
    }
}
