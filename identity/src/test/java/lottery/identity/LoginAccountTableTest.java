package lottery.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import lottery.embedded.EmbeddedServerKind;
import lottery.embedded.EmbeddedServers;
import lottery.embedded.EmbeddedSettings;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ScriptUtils;
import org.springframework.transaction.support.TransactionTemplate;

@DisplayName("The table of accounts")
class LoginAccountTableTest {

    private static final int AT_ONCE = 8;
    private static final int ROUNDS = 30;

    /**
     * PostgreSQL fills indexes in the order in which they were made. With a slow one before the others, two requests
     * need not meet within microseconds.
     */
    private static final String SLOW_INDEX = """
            CREATE FUNCTION slow(text) RETURNS text IMMUTABLE LANGUAGE plpgsql
              AS 'BEGIN PERFORM pg_sleep(0.002); RETURN $1; END';
            ALTER TABLE identity_account DROP CONSTRAINT identity_account_pkey;
            ALTER TABLE identity_account DROP CONSTRAINT identity_account_phone_key;
            CREATE INDEX slow_first ON identity_account (slow(name));
            ALTER TABLE identity_account ADD PRIMARY KEY (name);
            ALTER TABLE identity_account ADD UNIQUE (phone);""";

    private static DataSource prepared(EmbeddedServers servers) throws SQLException {
        String url = Objects.requireNonNull(servers.properties().get("lottery.postgres.url"));
        DataSource database = new DriverManagerDataSource(url, "lottery", "lottery");
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            ScriptUtils.executeSqlScript(connection, new ClassPathResource("db/migration/V1.07__identity.sql"));
            statement.execute(SLOW_INDEX);
        }
        return database;
    }

    private static LoginAccountTable table(EmbeddedServers servers) throws SQLException {
        DataSource database = prepared(servers);
        return new LoginAccountTable(
                JdbcClient.create(database), new TransactionTemplate(new DataSourceTransactionManager(database)));
    }

    @Test
    @DisplayName(
            "An account that many make at the same moment, with its phone, is one account, and each of them gets it.")
    void madeAtOnce(@TempDir Path folder) throws Exception {
        try (EmbeddedServers servers =
                        EmbeddedServers.start(EmbeddedSettings.forTests(folder, EmbeddedServerKind.POSTGRES));
                ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
            LoginAccountTable table = table(servers);
            for (int round = 0; round < ROUNDS; round++) {
                String name = "user-" + round;
                String phone = "+" + round;
                Callable<LoginAccount> put = () -> table.put(name, List.of("player"), null, phone, "ROLES");
                for (Future<LoginAccount> made : threads.invokeAll(Collections.nCopies(AT_ONCE, put))) {
                    assertThat(made.get()).isEqualTo(new LoginAccount(name, List.of("player"), false, 1));
                }
                assertThat(table.findByPhone(phone)).map(LoginAccount::name).contains(name);
            }
        }
    }

    @Test
    @DisplayName(
            "One administrator stays, also if several end each other's role, or lock each other, at the same moment.")
    void lastAdministrator(@TempDir Path folder) throws Exception {
        try (EmbeddedServers servers =
                        EmbeddedServers.start(EmbeddedSettings.forTests(folder, EmbeddedServerKind.POSTGRES));
                ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
            LoginAccountTable table = table(servers);
            // Without a password, nobody can log in as this administrator.
            table.put("admin-without-password", List.of("admin"), null, null, "ROLES");
            for (int round = 0; round < ROUNDS; round++) {
                List<Callable<Boolean>> ends = new ArrayList<>();
                for (int i = 0; i < AT_ONCE; i++) {
                    String name = "admin-" + i;
                    table.put(name, List.of("admin"), "hash", null, "ROLES");
                    table.lock(name, false, null);
                    ends.add(
                            i % 2 == 0
                                    ? () -> isDone(() -> table.put(name, List.of("desk"), null, null, "ROLES"))
                                    : () -> isDone(() -> table.lock(name, true, "leaves")));
                }
                int done = 0;
                for (Future<Boolean> end : threads.invokeAll(ends)) {
                    done += end.get() ? 1 : 0;
                }
                assertThat(done).as("ended in round %d", round).isEqualTo(AT_ONCE - 1);
                assertThat(table.isRoleOfOthers("admin", "")).isTrue();
            }
        }
    }

    private static boolean isDone(Runnable change) {
        try {
            change.run();
            return true;
        } catch (LoginAccountTable.LastAdministratorException refused) {
            return false;
        }
    }

    @Test
    @DisplayName("All phones together get a limited number of codes in a minute and on a day.")
    void codesOfAll(@TempDir Path folder) throws Exception {
        try (EmbeddedServers servers =
                EmbeddedServers.start(EmbeddedSettings.forTests(folder, EmbeddedServerKind.POSTGRES))) {
            JdbcClient database = JdbcClient.create(prepared(servers));
            PhoneCodeTable codes = new PhoneCodeTable(database, 3, 5);
            assertThat(List.of(codes.count(), codes.count(), codes.count(), codes.count()))
                    .containsExactly(true, true, true, false);
            database.sql("UPDATE identity_phone_total SET minute = minute - interval '1 minute'")
                    .update();
            assertThat(List.of(codes.count(), codes.count(), codes.count())).containsExactly(true, true, false);
            database.sql("UPDATE identity_phone_total SET day = day - 1").update();
            assertThat(codes.count()).isTrue();
        }
    }
}
