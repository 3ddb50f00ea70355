package lottery.view.account;

import java.util.Optional;
import lottery.api.account.AccountEvent;
import lottery.api.account.AccountId;
import lottery.view.redis.RedisReadModel;
import lottery.view.redis.RedisReadModels;
import lottery.view.redis.Versioned;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.SequenceNumber;
import org.springframework.stereotype.Component;

/** Reads accounts from Redis, and from PostgreSQL behind it. */
@Component
@ProcessingGroup(RedisReadModels.GROUP)
public class AccountReadModel {

    private final RedisReadModel<AccountId, AccountState> accounts;

    AccountReadModel(RedisReadModels redis, AccountRows rows) {
        this.accounts = redis.of(
                AccountState.class,
                id -> Optional.of(row(id, rows)).map(state -> new Versioned<>(state, state.version())));
    }

    private static AccountState row(AccountId id, AccountRows rows) {
        return rows.findById(AccountKey.of(id.activityId(), id.userId()))
                .map(AccountRow::state)
                .orElse(AccountState.UNBORN);
    }

    @EventHandler
    void on(AccountEvent event, @SequenceNumber long sequence) {
        accounts.follow(
                new AccountId(event.activityId(), event.userId()), sequence, state -> state.evolve(event, sequence));
    }

    AccountState find(AccountId id) {
        return accounts.find(id).orElse(AccountState.UNBORN);
    }

    /** Returns the user's draws: an order counts on the day on which it is drawn. */
    public UserDrawCounts draws(AccountId id) {
        return find(id).draws();
    }

    /** Returns the user's draws, if Redis has them. */
    public Optional<UserDrawCounts> knownDraws(AccountId id) {
        return accounts.known(id).map(AccountState::draws);
    }

    /** Returns the user's draws from PostgreSQL. */
    public UserDrawCounts storedDraws(AccountId id) {
        return accounts.stored(id).orElse(AccountState.UNBORN).draws();
    }
}
