package lottery.identity;

import java.util.List;
import lottery.api.RefusedException;
import lottery.security.CallerRole;
import lottery.security.CannotStartException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;

/**
 * Creates the account {@code admin} if no administrator can log in. An administrator is needed to create all other
 * accounts.
 */
final class FirstAdministrator implements ApplicationRunner {

    private static final Logger LOG = LoggerFactory.getLogger(FirstAdministrator.class);

    private static final String NAME = "admin";

    private final LoginAccountTable table;
    private final Passwords passwords;
    private final @Nullable String password;

    /** @param password the password of the account; null: no account is created */
    FirstAdministrator(LoginAccountTable table, Passwords passwords, @Nullable String password) {
        this.table = table;
        this.passwords = passwords;
        this.password = password;
    }

    @Override
    public void run(ApplicationArguments arguments) {
        String role = CallerRole.ADMIN.word();
        if (table.isRoleOfOthers(role, "")) {
            return;
        }
        if (password == null) {
            LOG.warn("There is no administrator who can log in, so nobody can create accounts."
                    + " Set LOTTERY_IDENTITY_ADMIN_PASSWORD and restart: this creates the account admin.");
            return;
        }
        table.put(NAME, List.of(role), hash(password), null, "FIRST");
        table.lock(NAME, false, null);
        LOG.info("The account admin can log in with LOTTERY_IDENTITY_ADMIN_PASSWORD, and create accounts.");
    }

    private String hash(String text) {
        try {
            return passwords.hash(text);
        } catch (RefusedException notOne) {
            throw new CannotStartException(
                    "LOTTERY_IDENTITY_ADMIN_PASSWORD cannot be a password.",
                    "Set a password of at least 10 characters and at most 72 bytes.");
        }
    }
}
