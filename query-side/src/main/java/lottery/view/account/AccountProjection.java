package lottery.view.account;

import lottery.api.account.AccountEvent;
import lottery.store.projection.Projection;
import lottery.view.account.AccountProjection.State;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.SequenceNumber;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Component;

@Component
@ProcessingGroup("accounts")
class AccountProjection extends Projection<AccountKey, State> {

    /** What an account's row says beside whose it is. */
    record State(Chances chances, Orders orders, long version) {

        private static final State UNBORN = new State(Chances.NONE, Orders.NONE, AccountRow.UNBORN);

        private State evolve(AccountEvent event, long sequence) {
            return new State(chances.evolve(event), orders.evolve(event), sequence);
        }
    }

    AccountProjection(JdbcOperations database) {
        super(database, "view_account", AccountKey.class, State.class);
    }

    @EventHandler
    void on(AccountEvent event, @SequenceNumber long sequence) {
        change(
                AccountKey.of(event.activityId(), event.userId()),
                before -> (before == null ? State.UNBORN : before).evolve(event, sequence));
    }
}
