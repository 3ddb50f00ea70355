package lottery.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.Environment;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

@DisplayName("The role of the application in PostgreSQL")
@SpringBootTest(classes = TestStore.class)
@ExtendWith(OutputCaptureExtension.class)
@ResourceLock(TestStore.DATABASE)
class DatabaseRolesTest {

    private static final String NOT_ALLOWED = "42501";

    private final JdbcClient application;
    private final JdbcClient owner;
    private final Flyway flyway;

    @Autowired
    DatabaseRolesTest(JdbcClient application, Environment environment, Flyway flyway) {
        this.application = application;
        this.flyway = flyway;
        this.owner = JdbcClient.create(new DriverManagerDataSource(
                environment.getRequiredProperty("lottery.postgres.url"),
                environment.getRequiredProperty("lottery.postgres.owner"),
                environment.getRequiredProperty("lottery.postgres.owner-password")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE event SET payload = ''",
                "UPDATE event_readable SET type = ''",
                "DELETE FROM event",
                "DELETE FROM event_readable",
                "TRUNCATE event",
                "SELECT FROM event FOR UPDATE",
                "INSERT INTO event SELECT * FROM event LIMIT 0 ON CONFLICT (position) DO UPDATE SET payload = ''",
                "MERGE INTO event USING event_head ON false WHEN MATCHED THEN DELETE",
                "ALTER TABLE event DISABLE TRIGGER ALL",
                "ALTER TABLE event DROP COLUMN payload",
                "ALTER TABLE event RENAME TO other",
                "ALTER TABLE event OWNER TO lottery_app",
                "DROP TABLE event CASCADE",
                "DROP TABLE event_head",
                "CREATE RULE unseen AS ON INSERT TO event DO INSTEAD NOTHING",
                "CREATE TRIGGER other BEFORE INSERT ON event FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()",
                "CREATE TABLE mine (reference bigint REFERENCES event (position))",
                "CREATE FUNCTION lower(integer) RETURNS integer LANGUAGE sql RETURN 1",
                "CREATE SCHEMA mine",
                "SET ROLE lottery",
                "SET session_replication_role = replica",
                "DELETE FROM claim",
                "DELETE FROM counter_block",
                "UPDATE series_number SET number = 0",
                "DELETE FROM series_number",
                "UPDATE flyway_schema_history SET success = false",
                "DELETE FROM flyway_schema_history",
                "CALL replay_create_table('event')",
                "CALL replay_drop_table('event')",
                "CALL replay_switch_table('event')",
                "CALL replay_create_table('flyway_schema_history')"
            })
    @DisplayName("The role of the application can neither change stored events nor the tables")
    void refused(String statement) {
        assertThatThrownBy(() -> application.sql(statement).update())
                .isInstanceOf(DataAccessException.class)
                .rootCause()
                .isInstanceOfSatisfying(
                        SQLException.class,
                        refusal -> assertThat(refusal.getSQLState())
                                .as(refusal.getMessage())
                                .isEqualTo(NOT_ALLOWED));
    }

    @Test
    @DisplayName("The role of the application reads and writes everything else")
    void allowed() {
        assertThat(owner.sql("""
                                SELECT relname FROM pg_class
                                WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
                                  AND NOT (has_table_privilege('lottery_app', oid, 'SELECT')
                                           AND has_table_privilege('lottery_app', oid, 'INSERT')
                                           AND has_table_privilege('lottery_app', oid, 'UPDATE')
                                           AND has_table_privilege('lottery_app', oid, 'DELETE'))""").query(String.class).list())
                .containsExactlyInAnyOrder("event", "claim", "series_number", "counter_block", "flyway_schema_history");
    }

    @Test
    @DisplayName("A temporary table of the same name does not lead a replay to another table")
    void temporaryTable() {
        assertThatThrownBy(() -> application
                        .sql("CREATE TEMPORARY TABLE event (one integer); CALL replay_create_table('event')")
                        .update())
                .rootCause()
                .hasMessageContaining("permission denied to replace table event");
    }

    @Test
    @DisplayName("A right on stored events that somebody has granted is taken back by the next migration")
    void takenBack() {
        owner.sql("GRANT ALL ON event TO lottery_app").update();
        owner.sql("GRANT UPDATE ON event TO PUBLIC").update();
        owner.sql("REVOKE SELECT ON saga FROM lottery_app").update();
        flyway.migrate();
        assertThat(rightsOnEvent()).containsExactly("INSERT", "SELECT");
        assertThat(application
                        .sql("SELECT count(*) FROM saga")
                        .query(Long.class)
                        .single())
                .isNotNegative();
    }

    private List<String> rightsOnEvent() {
        return owner.sql("""
                        SELECT privilege_type FROM pg_class, aclexplode(relacl)
                        WHERE pg_class.oid = 'event'::regclass AND grantee <> relowner ORDER BY 1""")
                .query((row, _) -> String.valueOf(row.getString(1)))
                .list();
    }

    @Test
    @DisplayName("A table that a replay creates has the rights of the table that it replaces")
    void replayKeepsRights() {
        String rights = "SELECT relacl::text FROM pg_class WHERE oid = 'parcel_town'::regclass";
        owner.sql("GRANT SELECT ON parcel_town TO pg_monitor").update();
        String before = owner.sql(rights).query(String.class).single();
        application.sql("CALL replay_create_table('parcel_town')").update();
        application.sql("CALL replay_analyze_table('parcel_town')").update();
        application.sql("CALL replay_switch_table('parcel_town')").update();
        assertThat(before).contains("pg_monitor=r/", "lottery_app=arwd/");
        assertThat(owner.sql(rights).query(String.class).single().split("[{},]"))
                .containsExactlyInAnyOrder(before.split("[{},]"));
    }

    @Test
    @DisplayName("A process whose role may change stored events says so in its log, and no other")
    void warning(CapturedOutput output) {
        new EventTablePrivilegeStartCheck(application).warn();
        assertThat(output).doesNotContain("may change stored events");
        new EventTablePrivilegeStartCheck(owner).warn();
        assertThat(output).containsOnlyOnce("may change stored events. Set LOTTERY_POSTGRES_OWNER");
    }
}
