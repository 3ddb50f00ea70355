package lottery.identity;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import lottery.security.DemoAuthenticationProvider;
import org.jspecify.annotations.Nullable;

/**
 * Finds the accounts of sessions. It caches them for at most five seconds, so that requests need not query the database
 * each time. A lock or a change of roles therefore takes effect on every node within five seconds. A name without an
 * account is not cached, so that a new account can be used at once on every node.
 */
final class AccountDirectory {

    private static final Duration REMEMBERED_MAX = Duration.ofSeconds(5);
    private static final int ACCOUNTS_MAX = 50_000;

    private final LoginAccountTable table;
    private final boolean hasDemoCallers;

    private final Cache<String, @Nullable LoginAccount> known = Caffeine.newBuilder()
            .maximumSize(ACCOUNTS_MAX)
            .expireAfterWrite(REMEMBERED_MAX)
            .build();

    /** @param hasDemoCallers whether a name without an account is a demo caller, whose password is the name */
    AccountDirectory(LoginAccountTable table, boolean hasDemoCallers) {
        this.table = table;
        this.hasDemoCallers = hasDemoCallers;
    }

    Optional<LoginAccount> find(String name) {
        return Optional.ofNullable(
                known.get(name, each -> table.find(each).or(() -> demo(each)).orElse(null)));
    }

    /** Returns the demo caller of that name, if demo callers are allowed and no account has the name. */
    Optional<LoginAccount> demo(String name) {
        return hasDemoCallers
                ? Optional.of(new LoginAccount(
                        name, List.of(DemoAuthenticationProvider.roleOf(name).word()), false, 1))
                : Optional.empty();
    }

    /** Removes an account from the cache, because this process has changed the account. */
    void forget(String name) {
        known.invalidate(name);
    }
}
