package lottery.identity;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.identity.LoginAccountTable.AccountChange;
import lottery.security.CallerRole;
import lottery.store.trace.Actor;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Lets administrators create accounts, assign roles and lock accounts over REST. Each change is recorded. */
@RestController
@Tag(name = "Accounts", description = "Accounts of the lottery's own, and their roles.")
@RequestMapping(path = "/api/v1/ops", produces = MediaType.APPLICATION_JSON_VALUE)
class LoginAccountsEndpoint {

    private static final int LIMIT_MAX = 100;
    private static final int ROLES_MAX = 20;
    private static final String ADMIN = CallerRole.ADMIN.word();
    private static final String NUMBER = "[0-9]{1,18}";
    private static final String NAME_OR_LESS = "[^\\x00-\\x1f\\x7f]{0,200}";

    /**
     * The desired state of an account.
     *
     * @param password a new password, which ends all sessions; if it is absent, the password stays
     * @param phone the phone number; if it is absent, the number stays
     */
    record AccountRequest(
            @NotNull @NotEmpty @Size(max = ROLES_MAX) List<@NotNull @Size(max = 60) String> roles,

            @Nullable @Size(max = SessionEndpoint.PASSWORD_LENGTH_MAX)
            String password,

            @Nullable @Pattern(regexp = SessionEndpoint.PHONE)
            String phone) {

        @Override
        public String toString() {
            return "AccountRequest[" + roles + "]";
        }
    }

    record AccountLock(@NotBlank @Size(max = 200) String reason) {}

    record AccountView(String name, List<String> roles, boolean locked) {

        static AccountView of(LoginAccount account) {
            return new AccountView(account.name(), account.roles(), account.isLocked());
        }
    }

    record AccountPage(List<AccountView> accounts, @Nullable String next) {}

    record AccountChangePage(
            List<AccountChange> changes, @Nullable String next) {}

    private final LoginAccountTable table;
    private final AccountDirectory directory;
    private final Passwords passwords;

    LoginAccountsEndpoint(LoginAccountTable table, AccountDirectory directory, Passwords passwords) {
        this.table = table;
        this.directory = directory;
        this.passwords = passwords;
    }

    @Operation(summary = "Give an account, or change it", description = """
                    Creates an account, or changes its roles, and its phone and password if they are given. A new
                    password ends all sessions and tokens of the account. New roles take effect within five seconds. The
                    role admin cannot be combined with other roles, and the last administrator keeps it. Each request is
                    recorded.""")
    @PutMapping("/accounts/{account}")
    AccountView putAccount(@PathVariable("account") String name, @Valid @RequestBody AccountRequest form) {
        requireName(name);
        requireRoles(form.roles());
        @Nullable String hash = form.password() == null ? null : passwords.hash(form.password());
        String change = hash == null ? "ROLES" : "ROLES_AND_PASSWORD";
        try {
            LoginAccount account =
                    table.put(name, form.roles().stream().distinct().sorted().toList(), hash, form.phone(), change);
            return changed(account);
        } catch (LoginAccountTable.PhoneNumberTakenException taken) {
            throw new RefusedException(Refusal.INVALID, "phone");
        } catch (LoginAccountTable.LastAdministratorException last) {
            throw new RefusedException(Refusal.INVALID, name);
        }
    }

    @Operation(summary = "List accounts", description = """
                    Returns accounts by name, page by page, without passwords and phones. With `name`, only accounts
                    whose names begin with it are returned.""")
    @GetMapping("/accounts")
    AccountPage listAccounts(
            @RequestParam(required = false) @Nullable String cursor,
            @RequestParam(defaultValue = "20") int limit,
            @RequestParam(required = false) @Nullable String name) {
        requireLimit(limit);
        requireName(name, "name");
        requireName(cursor, "cursor");
        List<LoginAccount> found =
                table.page(Objects.requireNonNullElse(name, ""), Objects.requireNonNullElse(cursor, ""), limit + 1);
        List<AccountView> page =
                found.stream().limit(limit).map(AccountView::of).toList();
        return new AccountPage(page, found.size() > limit ? page.getLast().name() : null);
    }

    @Operation(summary = "List changes of accounts", description = """
                    Returns who has created, changed, locked or unlocked which account, the newest change first, page by
                    page. Changes without an actor were made by the lottery itself, or by a player who logged in by
                    phone for the first time.""")
    @GetMapping("/account-changes")
    AccountChangePage listAccountChanges(
            @RequestParam(required = false) @Nullable String cursor, @RequestParam(defaultValue = "20") int limit) {
        requireLimit(limit);
        if (cursor != null && !cursor.matches(NUMBER)) {
            throw new RefusedException(Refusal.INVALID, "cursor");
        }
        List<AccountChange> found =
                table.changesBelow(cursor == null ? Long.MAX_VALUE : Long.parseLong(cursor), limit + 1);
        List<AccountChange> page = found.stream().limit(limit).toList();
        return new AccountChangePage(
                page, found.size() > limit ? Long.toString(page.getLast().number()) : null);
    }

    @Operation(summary = "Lock an account", description = """
                    Ends all sessions and tokens of an account within five seconds, and refuses its logins. The desk can
                    lock players only. Nobody can lock the last administrator. The change is recorded with its reason.""")
    @PostMapping("/accounts/{account}/lock")
    AccountView lockAccount(@PathVariable("account") String name, @Valid @RequestBody AccountLock form) {
        return locked(name, true, form.reason());
    }

    @Operation(summary = "Unlock an account", description = """
                    Lets a locked account log in again. The desk can unlock players only. The change is recorded.""")
    @DeleteMapping("/accounts/{account}/lock")
    AccountView unlockAccount(@PathVariable("account") String name) {
        return locked(name, false, null);
    }

    private AccountView locked(String name, boolean isLocked, @Nullable String reason) {
        boolean isAdministrator =
                Actor.current().stream().anyMatch(actor -> actor.roles().contains(ADMIN));
        if (!isAdministrator && !isPlayer(name)) {
            throw new RefusedException(Refusal.FORBIDDEN, name);
        }
        try {
            return changed(table.lock(name, isLocked, reason)
                    .orElseThrow(() -> new RefusedException(Refusal.NOT_FOUND, name)));
        } catch (LoginAccountTable.LastAdministratorException last) {
            throw new RefusedException(Refusal.INVALID, name);
        }
    }

    private boolean isPlayer(String name) {
        return table.find(name)
                .map(account -> account.roles().equals(List.of(CallerRole.PLAYER.word())))
                .orElseThrow(() -> new RefusedException(Refusal.NOT_FOUND, name));
    }

    private AccountView changed(LoginAccount account) {
        directory.forget(account.name());
        return AccountView.of(account);
    }

    private static void requireName(String name) {
        if (!name.matches(SessionEndpoint.NAME) || name.isBlank()) {
            throw new RefusedException(Refusal.INVALID, "name");
        }
    }

    /** Checks the roles. An administrator assigns roles and may have no other role. */
    private static void requireRoles(List<String> roles) {
        Predicate<String> isAdministrator = ADMIN::equals;
        boolean areKnown = roles.stream().allMatch(CallerRole::isWord);
        boolean isMixed =
                roles.stream().anyMatch(isAdministrator) && !roles.stream().allMatch(isAdministrator);
        if (!areKnown || isMixed) {
            throw new RefusedException(Refusal.INVALID, "roles");
        }
    }

    /** Requires a text that can be the beginning of a name and that PostgreSQL can compare. */
    private static void requireName(@Nullable String name, String parameter) {
        if (name != null && !name.matches(NAME_OR_LESS)) {
            throw new RefusedException(Refusal.INVALID, parameter);
        }
    }

    private static void requireLimit(int limit) {
        if (limit < 1 || limit > LIMIT_MAX) {
            throw new RefusedException(Refusal.INVALID, "limit");
        }
    }
}
