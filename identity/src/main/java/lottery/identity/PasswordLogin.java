package lottery.identity;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import org.jspecify.annotations.Nullable;

/**
 * Logs in with name and password. After five failed attempts an account is blocked for one minute. Each further failure
 * doubles that time, up to fifteen minutes. While an account is blocked, attempts are refused without a check. The
 * answer is the same for a wrong name and a wrong password.
 */
final class PasswordLogin {

    /** The most failed or simultaneous attempts from one address per minute. */
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

    /** Sets a new password for a logged-in caller who gives the current one. */
    LoginAccount change(String name, String password, String next, String address) {
        LoginAccount account = logIn(name, password, address);
        if (table.find(name).isEmpty()) {
            throw new RefusedException(Refusal.NOT_FOUND, name); // It is a demo caller, who has a fixed password.
        }
        LoginAccount changed = table.changePassword(account, passwords.hash(next))
                .orElseThrow(() -> new RefusedException(Refusal.LOGIN_FAILED, name));
        directory.forget(name);
        return changed;
    }

    /**
     * Checks the password. An attempt is counted only when its check begins. Therefore an attempt that is refused
     * because the server is busy is not counted.
     */
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
        passwords.matchesNone(password);
        return Optional.empty();
    }

    static LoginAccount requireUnlocked(LoginAccount account) {
        if (account.isLocked()) {
            throw new RefusedException(Refusal.ACCOUNT_LOCKED, account.name());
        }
        return account;
    }
}
