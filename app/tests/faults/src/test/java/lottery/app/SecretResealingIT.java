package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import lottery.app.LotteryProcess.Reply;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("turn-2")
@DisplayName("The command that seals all secrets again")
class SecretResealingIT {

    private static final Duration SOON = Duration.ofSeconds(60);

    private static final String TICKETS = """
            "mode": "SINGLE", "awards": [{"awardId": 1, "title": "Ticket", "type": "CODE", "rate": "1", "sort": 1}]""";

    private static final String ONE_CHANCE = """
            "skus": [{"sku": 1, "total": 1, "month": 1, "day": 1}]""";

    /** Returns the environment with the new key as well, and one of both as the current one. */
    private static Map<String, String> withKeys(String current) throws IOException {
        Map<String, String> environment = Servers.environmentOfTrial();
        for (String kind : new String[] {"SEEDS", "CODES", "PERSONS"}) {
            environment.put("LOTTERY_%s_KEYS_K2".formatted(kind), key(2));
            environment.put("LOTTERY_%s_CURRENT_KEY".formatted(kind), current);
        }
        return environment;
    }

    private static String key(int each) {
        byte[] bytes = new byte[32];
        Arrays.fill(bytes, (byte) each);
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static LotteryProcess reseal(String current) throws IOException {
        return LotteryProcess.finished(withKeys(current), "reseal");
    }

    @Test
    @DisplayName("lets codes and texts about persons open without the old key, and names the seeds that still need it.")
    void oldKeyCanGo() throws Exception {
        String record;
        String code;
        TrialActivity activity;
        try (LotteryProcess lottery = LotteryProcess.open(Servers.environmentOfTrial())) {
            activity = TrialActivity.open(lottery, TICKETS, ONE_CHANCE);
            assertThat(upload(activity, lottery).json().path("added").asInt()).isEqualTo(2);
            activity.recharge("ann");
            record = activity.draw("ann", "only").json().path("awardRecordId").asString();
            await().atMost(SOON).until(() -> code(lottery, record).status() == 200);
            code = code(lottery, record).text();
            assertThat(lottery.post("/api/v1/users/resealed/ban", "{\"reason\": \"Many accounts\"}")
                            .status())
                    .isEqualTo(201);
        }

        try {
            Map<String, String> withoutCodeKey = Servers.environmentOfTrial();
            withoutCodeKey.put("LOTTERY_CODES_KEYS_K1", key(9));
            LotteryProcess unknown = LotteryProcess.finished(withoutCodeKey, "reseal");
            assertThat(unknown.output())
                    .containsPattern("code_pool.hash_key: [0-9]+ are sealed as 'k1', and do not open\n")
                    .containsPattern("pool_code.sealed: [0-9]+ are sealed as 'k1', and do not open\n")
                    .contains("No older key is needed of those that are here.")
                    .doesNotContain("Older keys are still needed");
            assertThat(unknown.exitStatus()).isEqualTo(3);
            LotteryProcess wrong = LotteryProcess.finished(withKeys("k2"), "reseal", "k2");
            assertThat(wrong.exitStatus()).isEqualTo(1);
            assertThat(wrong.output()).contains("Usage: ");
            LotteryProcess first = reseal("k2");
            assertThat(first.output())
                    .contains("Older keys are still needed: k1 (LOTTERY_SEEDS) for secret seeds in the log.\n")
                    .containsPattern("pool_code.sealed: [0-9]+ are sealed with k2 \\(LOTTERY_CODES\\)\n")
                    .containsPattern(
                            "secret seeds in the log: [0-9]+ are sealed with k1 \\(LOTTERY_SEEDS\\)\n  until these rounds end: ")
                    .doesNotContain("\tat ", "do not open", "k1 (LOTTERY_CODES)", "k1 (LOTTERY_PERSONS)");
            assertThat(first.exitStatus()).isEqualTo(2);
            assertThat(reseal("k2").output())
                    .as("nothing is left to do")
                    .contains("pool_code.sealed: 0 sealed again", "person_key.sealed_key: 0 sealed again");

            Map<String, String> withoutOldKey = withKeys("k2");
            withoutOldKey.put("LOTTERY_SEEDS_KEYS_K1", key(9));
            withoutOldKey.put("LOTTERY_CODES_KEYS_K1", key(9));
            withoutOldKey.put("LOTTERY_PERSONS_KEYS_K1", key(9));
            try (LotteryProcess lottery = LotteryProcess.open(withoutOldKey)) {
                assertThat(code(lottery, record).text()).isEqualTo(code);
                assertThat(upload(activity, lottery).json().path("added").asInt())
                        .as("codes are recognised")
                        .isZero();
                assertThat(lottery.get("/api/v1/bans?limit=100").text()).contains("Many accounts");
            }
        } finally {
            // Other tests have the first key alone.
            LotteryProcess back = reseal("k1");
            assertThat(back.output()).contains("No older key is needed.");
            assertThat(back.exitStatus()).isZero();
        }
    }

    private static Reply upload(TrialActivity activity, LotteryProcess lottery) {
        Reply reply = lottery.post(activity.path("/award-codes/1"), "{\"codes\": [\"SEAT-1\", \"SEAT-2\"]}");
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply;
    }

    private static Reply code(LotteryProcess lottery, String record) {
        return lottery.get("/api/v1/award-records/" + record + "/code");
    }
}
