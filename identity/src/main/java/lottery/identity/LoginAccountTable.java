package lottery.identity;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import lottery.security.CallerRole;
import lottery.store.trace.Actor;
import lottery.store.trace.TraceId;
import lottery.store.vault.PhoneDirectory;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionOperations;

/** Stores accounts, and a record of each change of an account in the same transaction. */
final class LoginAccountTable implements PhoneDirectory {

    private static final String ADMINISTRATOR = CallerRole.ADMIN.word();
    private static final int FREE_TRIES = 5;

    private static final String COLUMNS = "name, roles, is_locked, session_version";

    private static final String PUT = """
            INSERT INTO identity_account (name, roles, password_hash, phone) VALUES (:name, :roles, :hash, :phone)
            ON CONFLICT (name) DO UPDATE SET
              roles = excluded.roles,
              phone = COALESCE(excluded.phone, identity_account.phone),
              password_hash = COALESCE(excluded.password_hash, identity_account.password_hash),
              failures = 0,
              next_try_at = NULL,
              session_version = identity_account.session_version
                + CASE WHEN excluded.password_hash IS NULL THEN 0 ELSE 1 END
            RETURNING %s""".formatted(COLUMNS);

    /** Counts each attempt before its password is checked, so that simultaneous attempts count, too. */
    private static final String TRY = """
            UPDATE identity_account SET
              failures = failures + 1,
              next_try_at = CASE WHEN failures + 1 < :free THEN NULL
                ELSE now() + least(interval '1 minute' * power(2, least(failures + 1 - :free, 4)), interval '15 minutes') END
            WHERE name = :name AND (next_try_at IS NULL OR next_try_at <= now())
            RETURNING %s, password_hash""".formatted(COLUMNS);

    private final JdbcClient database;
    private final TransactionOperations transactions;

    LoginAccountTable(JdbcClient database, TransactionOperations transactions) {
        this.database = database;
        this.transactions = transactions;
    }

    /** An account with the hash of its password, which is null if it has no password. */
    record Credentials(LoginAccount account, @Nullable String passwordHash) {}

    /** A change of an account. */
    record AccountChange(
            long number,
            Instant at,
            String account,
            String change,
            List<String> roles,
            @Nullable String reason,
            @Nullable String actor,
            @Nullable String traceId) {}

    /** Thrown if another account has this phone number. */
    static final class PhoneNumberTakenException extends RuntimeException {

        PhoneNumberTakenException(Throwable cause) {
            super("another account has this phone number", cause);
        }
    }

    /** Thrown if a change would leave no administrator, so that accounts could no longer be managed. */
    static final class LastAdministratorException extends RuntimeException {

        LastAdministratorException() {
            super("nobody else is an administrator who may log in");
        }
    }

    Optional<LoginAccount> find(String name) {
        return database.sql("SELECT %s FROM identity_account WHERE name = ?".formatted(COLUMNS))
                .param(name)
                .query(LoginAccountTable::account)
                .optional();
    }

    Optional<LoginAccount> findByPhone(String phone) {
        return database.sql("SELECT %s FROM identity_account WHERE phone = ?".formatted(COLUMNS))
                .param(phone)
                .query(LoginAccountTable::account)
                .optional();
    }

    @Override
    public Optional<String> phoneOf(String name) {
        return database.sql("SELECT phone FROM identity_account WHERE name = ? AND phone IS NOT NULL")
                .param(name)
                .query(String.class)
                .optional();
    }

    @Override
    public Optional<String> keyOf(String name) {
        return find(name)
                .filter(account -> phoneOf(name).isPresent())
                .map(account -> "phone-" + account.sessionVersion());
    }

    /** Deletes the phone of an account and the codes that were sent to it. An account of a player is locked. */
    @Override
    public void erase(String name) {
        transactions.executeWithoutResult(_ -> {
            database.sql("DELETE FROM identity_draft WHERE name = ?")
                    .param(name)
                    .update();
            database.sql(
                            "DELETE FROM identity_phone_code WHERE phone = (SELECT phone FROM identity_account WHERE name = ?)")
                    .param(name)
                    .update();
            database.sql("""
                            UPDATE identity_account
                            SET phone = NULL, is_locked = is_locked OR roles = '{player}',
                              session_version = session_version + 1
                            WHERE name = ? AND phone IS NOT NULL RETURNING %s""".formatted(COLUMNS))
                    .param(name)
                    .query(LoginAccountTable::account)
                    .optional()
                    .ifPresent(account -> note(account, "ERASED", null));
        });
    }

    List<LoginAccount> page(String beginning, String after, int max) {
        return database.sql("""
                        SELECT %s FROM identity_account WHERE name > ? AND starts_with(name, ?)
                        ORDER BY name LIMIT ?""".formatted(COLUMNS))
                .params(after, beginning, max)
                .query(LoginAccountTable::account)
                .list();
    }

    /**
     * Returns whether an account other than this one has the role and can log in. The account needs a password, because
     * only players log in by phone.
     */
    boolean isRoleOfOthers(String role, String name) {
        return database.sql("""
                        SELECT EXISTS (
                          SELECT FROM identity_account
                          WHERE ? = ANY (roles) AND NOT is_locked AND password_hash IS NOT NULL AND name <> ?)""").params(role, name).query(Boolean.class).single();
    }

    /**
     * Begins an attempt to log in, and returns the account. The result is empty if there is no such account, or if the
     * account is blocked after failed attempts.
     */
    Optional<Credentials> beginTry(String name) {
        return database.sql(TRY)
                .param("name", name)
                .param("free", FREE_TRIES)
                .query((row, number) -> new Credentials(account(row, number), row.getString("password_hash")))
                .optional();
    }

    /** Ends a successful attempt, and resets the count of failed attempts. */
    void endTry(String name) {
        database.sql("UPDATE identity_account SET failures = 0, next_try_at = NULL WHERE name = ?")
                .param(name)
                .update();
    }

    /**
     * Creates an account, or replaces its roles. Its phone and its password change only if a phone or a hash is given.
     *
     * @param change the kind of change, in one word
     * @throws PhoneNumberTakenException if another account has the phone
     * @throws LastAdministratorException if no other administrator would be left
     */
    LoginAccount put(String name, List<String> roles, @Nullable String hash, @Nullable String phone, String change) {
        try {
            return inOneStep(() -> {
                awaitTurn("account " + name);
                if (!roles.contains(ADMINISTRATOR)) {
                    requireOtherAdministrator(name);
                }
                LoginAccount account = database.sql(PUT)
                        .param("name", name)
                        .param("roles", roles.toArray(String[]::new))
                        .param("hash", hash)
                        .param("phone", phone)
                        .query(LoginAccountTable::account)
                        .single();
                note(account, change, null);
                return account;
            });
        } catch (DuplicateKeyException taken) {
            throw new PhoneNumberTakenException(taken);
        }
    }

    /**
     * Returns how many administrators have a password. A locked one counts: a lock takes nobody's second person away.
     */
    int administrators() {
        return database.sql("SELECT count(*) FROM identity_account WHERE ? = ANY (roles) AND password_hash IS NOT NULL")
                .param(ADMINISTRATOR)
                .query(Integer.class)
                .single();
    }

    /** Keeps a change until another administrator agrees to it, for eight days at most, and returns its id. */
    String draft(String name, List<String> roles, @Nullable String hash, @Nullable String phone, String change) {
        database.sql("DELETE FROM identity_draft WHERE at < now() - interval '8 days'")
                .update();
        return database.sql("""
                        INSERT INTO identity_draft (name, roles, password_hash, phone, change)
                        VALUES (:name, :roles, :hash, :phone, :change) RETURNING id::text""")
                .param("name", name)
                .param("roles", roles.toArray(String[]::new))
                .param("hash", hash)
                .param("phone", phone)
                .param("change", change)
                .query(String.class)
                .single();
    }

    /** Brings a draft into force, once. The result is empty if that was done before. */
    Optional<LoginAccount> apply(String draftId) {
        return inOneStep(() -> database.sql("DELETE FROM identity_draft WHERE id = ?::uuid RETURNING *")
                .param(draftId)
                .query((row, _) -> put(
                        row.getString("name"),
                        texts(row, "roles"),
                        row.getString("password_hash"),
                        row.getString("phone"),
                        row.getString("change")))
                .optional());
    }

    /**
     * Waits until no other transaction of any process works on the same subject, for example on the same account.
     * Without this wait, two simultaneous inserts of one account could deadlock. An insert could also fail because of
     * the same phone, before PostgreSQL sees that both inserts have the same name.
     */
    private void awaitTurn(String about) {
        database.sql("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))")
                .param(about)
                .query((row, number) -> about)
                .single();
    }

    /**
     * Requires that another administrator remains if this account is an administrator. This holds even if two
     * administrators remove each other's role at the same time.
     */
    private void requireOtherAdministrator(String name) {
        boolean isAdministrator = find(name)
                .filter(account -> account.roles().contains(ADMINISTRATOR))
                .isPresent();
        if (isAdministrator) {
            awaitTurn("administrators");
            if (!isRoleOfOthers(ADMINISTRATOR, name)) {
                throw new LastAdministratorException();
            }
        }
    }

    /**
     * Sets a new password and ends all sessions of the account. Returns the changed account. The result is empty if
     * somebody else has changed the account since it was read. For example, an administrator may have set a password.
     */
    Optional<LoginAccount> changePassword(LoginAccount before, String hash) {
        return inOneStep(() -> {
            Optional<LoginAccount> changed = database.sql("""
                            UPDATE identity_account SET password_hash = ?, session_version = session_version + 1
                            WHERE name = ? AND session_version = ? RETURNING %s""".formatted(COLUMNS))
                    .params(hash, before.name(), before.sessionVersion())
                    .query(LoginAccountTable::account)
                    .optional();
            changed.ifPresent(account -> note(account, "PASSWORD", null));
            return changed;
        });
    }

    /**
     * Locks or unlocks an account, and ends its sessions in both cases. The result is empty if there is no such
     * account.
     *
     * @throws LastAdministratorException if no other administrator would be left
     */
    Optional<LoginAccount> lock(String name, boolean isLocked, @Nullable String reason) {
        return inOneStep(() -> {
            awaitTurn("account " + name);
            if (isLocked) {
                requireOtherAdministrator(name);
            }
            Optional<LoginAccount> changed = database.sql("""
                            UPDATE identity_account SET is_locked = ?, session_version = session_version + 1
                            WHERE name = ? RETURNING %s""".formatted(COLUMNS))
                    .params(isLocked, name)
                    .query(LoginAccountTable::account)
                    .optional();
            changed.ifPresent(account -> note(account, isLocked ? "LOCKED" : "UNLOCKED", reason));
            return changed;
        });
    }

    List<AccountChange> changesBelow(long number, int max) {
        return database.sql("SELECT * FROM identity_change WHERE number < ? ORDER BY number DESC LIMIT ?")
                .params(number, max)
                .query((row, _) -> new AccountChange(
                        row.getLong("number"),
                        row.getObject("at", OffsetDateTime.class).toInstant(),
                        row.getString("account"),
                        row.getString("change"),
                        texts(row, "roles"),
                        row.getString("reason"),
                        row.getString("actor"),
                        row.getString("trace_id")))
                .list();
    }

    private void note(LoginAccount account, String change, @Nullable String reason) {
        database.sql("""
                        INSERT INTO identity_change (account, change, roles, reason, actor, trace_id)
                        VALUES (:account, :change, :roles, :reason, :actor, :traceId)""")
                .param("account", account.name())
                .param("change", change)
                .param("roles", account.roles().toArray(String[]::new))
                .param("reason", reason)
                .param("actor", Actor.current().map(Actor::name).orElse(null))
                .param("traceId", TraceId.current().map(TraceId::text).orElse(null))
                .update();
    }

    private <T> T inOneStep(Supplier<T> step) {
        return Objects.requireNonNull(transactions.execute(_ -> step.get()));
    }

    private static LoginAccount account(ResultSet row, int number) throws SQLException {
        return new LoginAccount(
                row.getString("name"), texts(row, "roles"), row.getBoolean("is_locked"), row.getInt("session_version"));
    }

    private static List<String> texts(ResultSet row, String column) throws SQLException {
        return List.of((String[]) row.getArray(column).getArray());
    }
}
