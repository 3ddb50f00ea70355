package lottery.app.identity;

import java.util.Optional;
import lottery.api.Refusal;
import lottery.api.RefusedException;

/**
 * Lets people in by name and password. After five tries in vain an account waits for a minute, then for two, up to
 * fifteen; what is tried meanwhile is refused unseen. The answer is the same for a wrong name and a wrong password.
 */
final class PasswordLogin {

    private static final int TRIES_PER_MINUTE = 30;

    private final AccountTable table;
    private final AccountDirectory directory;
    private final Passwords passwords;
    private final LoginTries tries = new LoginTries(TRIES_PER_MINUTE);

    PasswordLogin(AccountTable table, AccountDirectory directory, Passwords passwords) {
        this.table = table;
        this.directory = directory;
        this.passwords = passwords;
    }

    /**
     * Returns the account.
     *
     * @throws RefusedException if the name or the password is wrong, or the account is locked
     */
    Account logIn(String name, String password, String address) {
        tries.require(address);
        Optional<Account> known = table.find(name);
        Optional<Account> account = known.isPresent()
                ? byPassword(name, password)
                : directory.demo(name).filter(_ -> password.equals(name)).or(() -> inVain(password));
        if (account.isEmpty()) {
            tries.count(address);
            throw new RefusedException(Refusal.LOGIN_FAILED, name);
        }
        return requireUnlocked(account.get());
    }

    /** Sets another password of somebody who is logged in and says the present one. */
    Account change(String name, String password, String next, String address) {
        logIn(name, password, address);
        if (table.find(name).isEmpty()) {
            throw new RefusedException(Refusal.NOT_FOUND, name); // A demo caller, whose password is its name.
        }
        Account changed = table.changePassword(name, passwords.hash(next));
        directory.forget(name);
        return changed;
    }

    private Optional<Account> byPassword(String name, String password) {
        Optional<AccountTable.Credentials> found = table.beginTry(name);
        String hash = found.map(AccountTable.Credentials::passwordHash).orElse(null);
        if (!passwords.matches(password, hash)) {
            return Optional.empty();
        }
        table.endTry(name);
        return found.map(AccountTable.Credentials::account);
    }

    private Optional<Account> inVain(String password) {
        passwords.matches(password, null);
        return Optional.empty();
    }

    static Account requireUnlocked(Account account) {
        if (account.isLocked()) {
            throw new RefusedException(Refusal.ACCOUNT_LOCKED, account.name());
        }
        return account;
    }
}
