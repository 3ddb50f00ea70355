package lottery.view.account;

import jakarta.persistence.EntityManager;
import lottery.api.account.AccountEvent;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.SequenceNumber;
import org.springframework.stereotype.Component;

@Component
@ProcessingGroup("accounts")
class AccountProjection {

    private final AccountRows rows;
    private final EntityManager entities;

    AccountProjection(AccountRows rows, EntityManager entities) {
        this.rows = rows;
        this.entities = entities;
    }

    @EventHandler
    void on(AccountEvent event, @SequenceNumber long sequence) {
        AccountKey key = AccountKey.of(event.activityId(), event.userId());
        rows.findById(key).orElseGet(() -> create(key)).on(event, sequence);
    }

    private AccountRow create(AccountKey key) {
        AccountRow row = new AccountRow(key);
        entities.persist(row);
        return row;
    }
}
