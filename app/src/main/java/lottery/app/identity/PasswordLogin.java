package lottery.app.identity;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import org.jspecify.annotations.Nullable;

/**
 * Lets people in by name and password. After five tries in vain an account waits for a minute, then for two, up to
 * fifteen; what is tried meanwhile is refused unseen. The answer is the same for a wrong name and a wrong password.
 */
final class PasswordLogin {

    /** In vain, or at the same time, from one address. */
    private static final int TRIES_PER_MINUTE = 60;

    private final LoginAccountTable table;
    private final AccountDirectory directory;
    private final Passwords passwords;
    private final InProcessLoginAttemptLimiter tries = new InProcessLoginAttemptLimiter(TRIES_PER_MINUTE);

    PasswordLogin(LoginAccountTable table, AccountDirectory directory, Passwords passwords) {
        this.table = table;
        this.directory = directory;
        this.passwords = passwords;
    }

    /**
     * Returns the account.
     *
     * @throws RefusedException if the name or the password is wrong, or the account is locked
     */
    LoginAccount logIn(String name, String password, String address) {
        tries.begin(address);
        Optional<LoginAccount> known = table.find(name);
        Optional<LoginAccount> account = known.isPresent()
                ? byPassword(name, password)
                : directory.demo(name).filter(_ -> password.equals(name)).or(() -> inVain(password));
        if (account.isEmpty()) {
            throw new RefusedException(Refusal.LOGIN_FAILED, name);
        }
        tries.succeed(address);
        return requireUnlocked(account.get());
    }

    /** Sets another password of somebody who is logged in and says the present one. */
    LoginAccount change(String name, String password, String next, String address) {
        LoginAccount account = logIn(name, password, address);
        if (table.find(name).isEmpty()) {
            throw new RefusedException(Refusal.NOT_FOUND, name); // A demo caller, whose password is its name.
        }
        LoginAccount changed = table.changePassword(account, passwords.hash(next))
                .orElseThrow(() -> new RefusedException(Refusal.LOGIN_FAILED, name));
        directory.forget(name);
        return changed;
    }

    /** A try is counted when it is its turn: whoever had to be refused as busy has not tried. */
    private Optional<LoginAccount> byPassword(String name, String password) {
        AtomicReference<@Nullable LoginAccount> tried = new AtomicReference<>();
        boolean isRight = passwords.matches(
                password,
                () -> table.beginTry(name).flatMap(found -> {
                    tried.set(found.account());
                    return Optional.ofNullable(found.passwordHash());
                }));
        if (!isRight) {
            return Optional.empty();
        }
        table.endTry(name);
        return Optional.ofNullable(tried.get());
    }

    private Optional<LoginAccount> inVain(String password) {
        passwords.matches(password, Optional::empty);
        return Optional.empty();
    }

    static LoginAccount requireUnlocked(LoginAccount account) {
        if (account.isLocked()) {
            throw new RefusedException(Refusal.ACCOUNT_LOCKED, account.name());
        }
        return account;
    }
}
