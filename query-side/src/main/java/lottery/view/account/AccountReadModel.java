package lottery.view.account;

import java.util.Optional;
import lottery.api.account.AccountEvent;
import lottery.api.account.AccountId;
import lottery.view.redis.RedisCachedReadModel;
import lottery.view.redis.RedisReadModelFactory;
import lottery.view.redis.Versioned;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.SequenceNumber;
import org.springframework.stereotype.Component;

/** Reads accounts from Redis, or from PostgreSQL if Redis cannot give the answer. */
@Component
@ProcessingGroup(RedisReadModelFactory.GROUP)
public class AccountReadModel {

    private final RedisCachedReadModel<AccountId, AccountState> accounts;

    AccountReadModel(RedisReadModelFactory redis, AccountRowRepository rows) {
        this.accounts = redis.of(
                AccountState.class,
                id -> Optional.of(row(id, rows)).map(state -> new Versioned<>(state, state.version())));
    }

    private static AccountState row(AccountId id, AccountRowRepository rows) {
        return rows.findById(AccountKey.of(id.activityId(), id.userId()))
                .map(AccountRow::state)
                .orElse(AccountState.UNBORN);
    }

    @EventHandler
    void on(AccountEvent event, @SequenceNumber long sequence) {
        accounts.updateIfCached(
                new AccountId(event.activityId(), event.userId()), sequence, state -> state.evolve(event, sequence));
    }

    AccountState find(AccountId id) {
        return accounts.find(id).orElse(AccountState.UNBORN);
    }

    /** Returns the counts of the user's draws. An order counts as a draw on the day on which it is drawn. */
    public UserDrawTally draws(AccountId id) {
        return find(id).draws();
    }

    /** Returns the counts of the user's draws, if Redis has them. */
    public Optional<UserDrawTally> knownDraws(AccountId id) {
        return accounts.known(id).map(AccountState::draws);
    }
}
