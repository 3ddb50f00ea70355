package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import lottery.app.LotteryProcess.Reply;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what a process does, or why it does not start, with other settings than those of compose.yaml. */
@Tag("turn-1")
@DisplayName("The settings of a process")
class StartSettingsIT {

    private static final Duration SOON = Duration.ofSeconds(30);

    private static final String CHANCES = """
            "skus": [{"sku": 1, "total": 9, "month": 9, "day": 9}]""";

    @Test
    @DisplayName("A process does only what its roles say, and two processes together do everything")
    void roles(@TempDir Path folder) throws Exception {
        Map<String, String> asking = Servers.environmentOfTrial();
        asking.put("LOTTERY_ROLES", "query,saga");
        asking.put("LOTTERY_DEMO", "true"); // Has no effect in a process without the role command.
        // It neither seals nor opens codes.
        Map<String, String> deciding = without("lottery.codes.keys.k1", folder);
        deciding.put("LOTTERY_ROLES", "command");
        deciding.remove("LOTTERY_CODES_CURRENT_KEY");
        try (LotteryProcess others = LotteryProcess.open(asking);
                LotteryProcess command = LotteryProcess.open(deciding)) {
            TrialActivity activity = TrialActivity.open(command, text(""), CHANCES);
            activity.recharge("zoe");
            awaitGranted(others, won(activity, "zoe"));

            assertThat(activity.at(others).draw("zoe", "second").status())
                    .as("it lists draws, and makes none")
                    .isEqualTo(405);
            assertThat(command.get(activity.path("/awards?userId=zoe")).code()).isEqualTo("NOT_FOUND");

            TrialActivity byHand = TrialActivity.open(command, text("\"grant\": {\"timing\": \"MANUAL\"},"), CHANCES);
            byHand.recharge("yan");
            String held = won(byHand, "yan");
            Reply released = others.post("/api/v1/ops/award-records/" + held + "/release", "");
            assertThat(released.status()).as(released.text()).isEqualTo(200);
            assertThat(released.headers().getFirst("Lottery-Position"))
                    .as("it was a command")
                    .isNotEmpty();
            awaitGranted(others, held);
        }
    }

    @Test
    @DisplayName("A setting may come as a file, and a process whose role owns the tables starts with a warning")
    void settingInFile(@TempDir Path folder) throws Exception {
        Map<String, String> environment = without("lottery.postgres.owner-password", folder);
        Files.writeString(folder.resolve("lottery.roles"), "query\n");
        Files.writeString(
                folder.resolve("lottery.postgres.password"), Servers.property("lottery.postgres.owner-password"));
        environment.put("LOTTERY_POSTGRES_USER", environment.remove("LOTTERY_POSTGRES_OWNER"));
        environment.remove("LOTTERY_ROLES");
        try (LotteryProcess lottery = LotteryProcess.open(environment)) {
            assertThat(lottery.get("/api/v1/activities").status()).isEqualTo(200);
            String strategy = "{\"strategyId\": 71, %s}".formatted(text(""));
            assertThat(lottery.post("/api/v1/strategies", strategy).status())
                    .as("the role command is not among the roles in the file")
                    .isIn(404, 405);
            assertThat(lottery.output()).containsOnlyOnce("may change stored events");
        }
    }

    @Test
    @DisplayName("A process that does not migrate needs no password of the owner")
    void withoutOwner(@TempDir Path folder) throws Exception {
        Map<String, String> environment = without("lottery.postgres.owner-password", folder);
        environment.put("SPRING_FLYWAY_ENABLED", "false");
        try (LotteryProcess lottery = LotteryProcess.open(environment)) {
            TrialActivity activity = TrialActivity.open(lottery, text(""), CHANCES);
            activity.recharge("una");
            won(activity, "una");
            assertThat(lottery.output()).doesNotContain("may change stored events");
        }
    }

    @Test
    @DisplayName("A role that does not exist is named")
    void misspeltRole() throws Exception {
        Map<String, String> environment = Servers.environmentOfTrial();
        environment.put("LOTTERY_ROLES", "comand");
        assertRefused(environment, "LOTTERY_ROLES has 'comand'");
    }

    @Test
    @DisplayName("A missing password of the owner is named")
    void withoutPassword(@TempDir Path folder) throws Exception {
        assertRefused(
                without("lottery.postgres.owner-password", folder),
                "PostgreSQL cannot be used",
                "LOTTERY_POSTGRES_OWNER");
    }

    @ParameterizedTest(name = "A missing key for {0} is named")
    @ValueSource(strings = {"seeds", "codes", "persons"})
    void withoutKey(String secrets, @TempDir Path folder) throws Exception {
        assertRefused(
                without("lottery." + secrets + ".keys.k1", folder),
                "No key is set for the secrets in the database.",
                "LOTTERY_" + secrets.toUpperCase(Locale.ROOT) + "_KEYS_K1");
    }

    private static void assertRefused(Map<String, String> environment, String... words) throws Exception {
        LotteryProcess refused = LotteryProcess.failing(environment);
        assertThat(refused.exitStatus()).isEqualTo(1);
        assertThat(refused.output()).contains(words).doesNotContain("\tat ");
    }

    private static Map<String, String> without(String secret, Path folder) throws Exception {
        Servers.writeSecretsWithout(secret, folder);
        Map<String, String> environment = Servers.environmentOfTrial();
        environment.put("LOTTERY_SECRETS", folder.toString());
        return environment;
    }

    /** Returns a strategy whose only award is a text. */
    private static String text(String grant) {
        return """
                "mode": "SINGLE", "awards": [{"awardId": 1, "title": "Opera", "type": "TEXT", %s "rate": "1", "sort": 1}]""".formatted(grant);
    }

    private static String won(TrialActivity activity, String user) {
        return Patience.created(() -> activity.draw(user, "first"))
                .json()
                .get("awardRecordId")
                .asString();
    }

    private static void awaitGranted(LotteryProcess lottery, String record) {
        await().atMost(SOON)
                .until(() -> lottery.get("/api/v1/award-records/" + record)
                        .json()
                        .path("state")
                        .asString("")
                        .equals("GRANTED"));
    }
}
