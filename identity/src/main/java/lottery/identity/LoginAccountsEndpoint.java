package lottery.identity;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.proposal.MayNeedSecondPerson;
import lottery.api.proposal.Proposal;
import lottery.api.proposal.ProposalCommand.ProposeAction;
import lottery.api.proposal.ProposedAction;
import lottery.api.proposal.ProposedActionKind;
import lottery.identity.LoginAccountTable.AccountChange;
import lottery.security.CallerRole;
import lottery.store.command.CommandFailedException;
import lottery.store.command.CommandSender;
import lottery.store.trace.Actor;
import org.jspecify.annotations.Nullable;
import org.springframework.context.event.EventListener;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
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
    private static final List<String> PLAYER = List.of(CallerRole.PLAYER.word());
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
    private final CommandSender commands;

    LoginAccountsEndpoint(
            LoginAccountTable table, AccountDirectory directory, Passwords passwords, CommandSender commands) {
        this.commands = commands;
        this.table = table;
        this.directory = directory;
        this.passwords = passwords;
    }

    @Operation(summary = "Give an account, or change it", description = """
                    Creates an account, or changes its roles, and its phone and password if they are given. A new
                    password ends all sessions and tokens of the account. New roles take effect within five seconds. The
                    role admin cannot be combined with other roles, and the last administrator keeps it. Each request is
                    recorded.

                    If there are several administrators, two of them are needed for an account with another role than
                    player. The request is a proposal then, and returns 202. The change takes effect when another
                    administrator agrees.""")
    @MayNeedSecondPerson
    @ApiResponse(
            responseCode = "200",
            description = "OK",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON_VALUE,
                            schema = @Schema(implementation = AccountView.class)))
    @PutMapping("/accounts/{account}")
    ResponseEntity<?> putAccount(@PathVariable("account") String name, @Valid @RequestBody AccountRequest form) {
        requireName(name);
        requireRoles(form.roles());
        @Nullable String hash = form.password() == null ? null : passwords.hash(form.password());
        String change = hash == null ? "ROLES" : "ROLES_AND_PASSWORD";
        List<String> roles = form.roles().stream().distinct().sorted().toList();
        if (isOfStaff(name, roles) && table.administrators() > 1) {
            String draft = table.draft(name, roles, hash, form.phone(), change);
            return ResponseEntity.accepted().body(propose(name, draft, change + ": " + String.join(", ", roles)));
        }
        return ResponseEntity.ok(changed(name, () -> Optional.of(table.put(name, roles, hash, form.phone(), change))));
    }

    private boolean isOfStaff(String name, List<String> roles) {
        return !roles.equals(PLAYER)
                || table.find(name)
                        .filter(account -> !account.roles().equals(PLAYER))
                        .isPresent();
    }

    private Proposal propose(String name, String draft, String what) {
        try {
            Answer<Proposal> proposed =
                    commands.send(new ProposeAction(ProposedAction.accountChange(name, draft), what));
            return proposed.orThrow();
        } catch (CommandFailedException failed) {
            throw new RefusedException(Refusal.BUSY, name);
        }
    }

    /** Brings a change into force to which another administrator has agreed. */
    @EventListener
    void on(Proposal agreed) {
        ProposedAction action = agreed.action();
        if (action.kind() == ProposedActionKind.CHANGE_ACCOUNT) {
            changed(action.subject(), () -> table.apply(Objects.requireNonNull(action.keyId())));
        }
    }

    private @Nullable AccountView changed(String name, Supplier<Optional<LoginAccount>> change) {
        try {
            return change.get().map(this::changed).orElse(null);
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
                .map(account -> account.roles().equals(PLAYER))
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
