package lottery.app.identity;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import lottery.app.security.DemoAuthenticationProvider;

/**
 * Finds the accounts behind sessions. Its knowledge is at most five seconds old, so that a lock or other roles count on
 * every node soon, and requests do not ask the database each time.
 */
final class AccountDirectory {

    private static final Duration REMEMBERED_MAX = Duration.ofSeconds(5);
    private static final int ACCOUNTS_MAX = 50_000;

    private final LoginAccountTable table;
    private final boolean hasDemoCallers;

    private final Cache<String, Optional<LoginAccount>> known = Caffeine.newBuilder()
            .maximumSize(ACCOUNTS_MAX)
            .expireAfterWrite(REMEMBERED_MAX)
            .build();

    /** @param hasDemoCallers names that have no account stand for themselves, with the name as password */
    AccountDirectory(LoginAccountTable table, boolean hasDemoCallers) {
        this.table = table;
        this.hasDemoCallers = hasDemoCallers;
    }

    Optional<LoginAccount> find(String name) {
        return known.get(name, each -> table.find(each).or(() -> demo(each)));
    }

    /** Returns the demo caller of that name, if there are any and no account has the name. */
    Optional<LoginAccount> demo(String name) {
        return hasDemoCallers
                ? Optional.of(new LoginAccount(
                        name, List.of(DemoAuthenticationProvider.roleOf(name).word()), false, 1))
                : Optional.empty();
    }

    /** Forgets what this process knows about an account that it has changed. */
    void forget(String name) {
        known.invalidate(name);
    }
}
