package lottery.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.stage.CallTime;
import lottery.stage.OnStage;
import lottery.stage.PatientReader;
import lottery.stage.Script;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

@OnStage
@DisplayName("A read with a position")
class ReadYourWritesInterceptorTest {

    private static final int CALLS = 3;

    private static final UserId ANN = new UserId("ann");

    private final MockMvcTester mvc;
    private final Script script;
    private final JdbcClient sql;
    private final ReadModelRegistry readModels;

    @Autowired
    ReadYourWritesInterceptorTest(MockMvcTester mvc, Script script, JdbcClient sql, ReadModelRegistry readModels) {
        this.mvc = mvc;
        this.script = script;
        this.sql = sql;
        this.readModels = readModels;
    }

    @Test
    @DisplayName("The caller sees what was written up to the position, by any read and however often.")
    void sees() {
        for (int i = 0; i < 50; i++) {
            ActivityId activity = script.activity();
            assertThat(seen("/api/v1/activities/" + activity.value(), head())).hasStatusOk();
            AccountId account = new AccountId(activity, ANN);
            script.recharged(account, 10, 10, 10);
            assertThat(seen(chances(activity), head()))
                    .hasStatusOk()
                    .bodyJson()
                    .extractingPath("$.total.left")
                    .isEqualTo(10);
            script.won(activity, ANN, "Coffee", "2026-03-31T04:00:00Z");
            assertThat(seen(chances(activity) + "/awards", head()))
                    .bodyJson()
                    .extractingPath("$.items.length()")
                    .isEqualTo(1);
            assertThat(seen("/api/v1/activities/" + activity.value() + "/awards?userId=ann", head()))
                    .hasStatusOk();
        }
    }

    private MvcTestResult seen(String path, long position) {
        return PatientReader.read(mvc, after(path, position));
    }

    @Test
    @DisplayName("The caller is told to come again if the read model of its request takes too long.")
    void late() {
        ActivityId activity = script.activity();
        assertThat(seen("/api/v1/activities/" + activity.value(), head())).hasStatusOk();
        script.stop("accounts");
        try {
            script.recharged(new AccountId(activity, ANN), 10, 10, 10);
            Duration took = CallTime.fastest(
                    CALLS,
                    () -> assertThat(get(chances(activity), head()))
                            .hasStatus(HttpStatus.SERVICE_UNAVAILABLE)
                            .bodyJson()
                            .extractingPath("$.why")
                            .isEqualTo("NOT_READY"));
            assertThat(took).isBetween(Duration.ofMillis(1_800), Duration.ofSeconds(4));
            assertThat(seen("/api/v1/activities/" + activity.value(), head()))
                    .as("what does not read accounts")
                    .hasStatusOk();
            assertThat(get(chances(activity), 0)).as("what was there before").hasStatusOk();
        } finally {
            script.start("accounts");
        }
        assertThat(seen(chances(activity), head()))
                .bodyJson()
                .extractingPath("$.total.left")
                .isEqualTo(10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "-1", "1.5", "", "99999999999999999999", "1&after=2", "9223372036854775807"})
    @DisplayName("A position that no event has had is refused at once.")
    void malformed(String after) {
        Duration took = CallTime.fastest(
                CALLS,
                () -> assertThat(mvc.get()
                                .uri("/api/v1/activities?after=" + after)
                                .exchange())
                        .hasStatus(HttpStatus.BAD_REQUEST)
                        .bodyJson()
                        .extractingPath("$.subject")
                        .isEqualTo("after"));
        assertThat(took).isLessThan(Duration.ofMillis(1_500));
    }

    @Test
    @DisplayName("The read waits for all read models if the endpoint does not name its own.")
    void all() {
        assertThat(readModels.names()).contains("accounts", "activities", "wins", "wheel", "redis");
    }

    private MvcTestResult get(String path, long position) {
        return mvc.get().uri(after(path, position)).exchange();
    }

    private static String after(String path, long position) {
        return path + (path.contains("?") ? "&" : "?") + "after=" + position;
    }

    private static String chances(ActivityId activity) {
        return "/api/v1/activities/" + activity.value() + "/accounts/ann";
    }

    private long head() {
        return sql.sql("SELECT position FROM event_head").query(Long.class).single();
    }
}
