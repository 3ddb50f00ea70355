package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import lottery.app.LotteryProcess.Reply;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import tools.jackson.databind.JsonNode;

@Tag("turn-1")
@DisplayName("Activities that are drawn at one time, with two processes")
class ScheduledDrawIT {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int CALLERS = 16;

    /** Entries for all units, and for one that moves up. */
    private static final int ENOUGH = 7;

    private static final String AWARDS = """
            "mode": "SINGLE", "awards": [
              {"awardId": 1, "title": "Car", "type": "TEXT", "rate": "0.1", "sort": 1, "stock": 1,
               "grant": {"timing": "MANUAL"}},
              {"awardId": 2, "title": "Cinema", "type": "TEXT", "rate": "0.1", "sort": 2, "stock": 5}]""";

    @TempDir
    private static Path folder;

    private static Path beacon;
    private static LotteryProcess here;
    private static LotteryProcess there;

    private final Patience patience = new Patience();

    @BeforeAll
    static void open() throws Exception {
        beacon = folder.resolve("beacon.txt");
        List<LotteryProcess> both = Crowd.calls(2, 2, _ -> LotteryProcess.open(environment()));
        here = both.getFirst();
        there = both.getLast();
    }

    private static Map<String, String> environment() throws Exception {
        Map<String, String> environment = Servers.environmentOfTrial();
        environment.put("LOTTERY_BEACON_FILE", beacon.toString());
        environment.put("LOTTERY_BEACON_TRIAL", "false");
        return environment;
    }

    @AfterAll
    static void close() {
        // Both end, whatever the first one says: a process that is left over would disturb all other trials.
        try (LotteryProcess _ = here) {
            there.close();
        }
    }

    private static Instant inSeconds(int seconds) {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(seconds);
    }

    private static TrialActivity open(Instant entriesCloseAt, Instant drawAt) {
        return TrialActivity.open(here, AWARDS, """
                "free": {"total": 100, "month": 100, "day": 100}, "draw": {"mode": "SCHEDULED", "drawAt": "%s",
                 "entriesCloseAt": "%s", "reserves": 2}""".formatted(drawAt, entriesCloseAt));
    }

    private static Reply enter(TrialActivity activity, String user, String key) {
        return activity.lottery().post(activity.account(user) + "/entries", "", "Idempotency-Key", key);
    }

    private static JsonNode pool(TrialActivity activity) {
        return activity.lottery().get(activity.path("/pool")).json();
    }

    private static void awaitState(TrialActivity activity, String state) {
        await().atMost(SOON).until(() -> pool(activity).path("state").asString().equals(state));
    }

    private record MadeEntry(String orderId, int entryNo) {

        static MadeEntry of(Reply reply) {
            assertThat(reply.status()).as(reply.text()).isIn(200, 201);
            return new MadeEntry(
                    reply.json().path("orderId").asString(),
                    reply.json().path("entryNo").asInt());
        }

        /** Returns the entry as the frozen pool has it. With several logs, some get their numbers there. */
        MadeEntry in(TrialActivity activity) {
            int numbered = activity.lottery()
                    .get("/api/v1/raffle-orders/" + orderId)
                    .json()
                    .path("entryNo")
                    .asInt();
            assertThat(entryNo).isIn(Servers.LOGS == 1 ? Set.of(numbered) : Set.of(0, numbered));
            return new MadeEntry(orderId, numbered);
        }
    }

    @Test
    @DisplayName("Entries come until the second of the close; those that were answered are in the pool, and are drawn")
    void drawn() throws Exception {
        PoolWithEntries begun = TrialActivity.before(15, this::begin);
        TrialActivity activity = begun.activity();
        Instant drawAt = begun.drawAt();
        AtomicInteger keys = new AtomicInteger();
        List<MadeEntry> entries = new ArrayList<>(begun.entries());
        boolean open = true;
        while (open) {
            List<Reply> replies = Crowd.calls(100, CALLERS, i -> {
                TrialActivity side = activity.at(i % 2 == 0 ? here : there);
                String key = "key-" + keys.incrementAndGet();
                return patience.ask(() -> enter(side, "user-" + i % 400, key));
            });
            for (Reply reply : replies) {
                if (reply.status() / 100 == 2) {
                    entries.add(MadeEntry.of(reply));
                } else {
                    assertThat(reply.code()).isIn("ENTRIES_CLOSED", "QUOTA_TOTAL", "QUOTA_DAY");
                }
            }
            open = replies.stream().noneMatch(reply -> reply.code().equals("ENTRIES_CLOSED"));
        }
        awaitState(activity, "FROZEN");
        entries = entries.stream().map(entry -> entry.in(activity)).toList();
        assertThat(entries.stream().map(MadeEntry::entryNo).sorted())
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, entries.size()).boxed().toList());
        JsonNode frozen = pool(activity);
        assertThat(frozen.path("entries").asInt()).isEqualTo(entries.size());
        // On a slow machine the freeze may be late, and names a later draw.
        Instant named = Instant.parse(frozen.path("beacon").path("round").asString());
        assertThat(named).isBetween(drawAt, drawAt.plusSeconds(60));
        assertThat(frozen.has("drawKey")).isFalse();

        Files.writeString(beacon, named + " 5f3a9c01\n");
        awaitState(activity, "DRAWN");
        JsonNode drawn = pool(activity);
        assertThat(drawn.path("root").asString()).isEqualTo(frozen.path("root").asString());
        assertThat(drawn.path("winners").asInt()).isEqualTo(6);
        assertThat(drawn.path("wins")
                        .valueStream()
                        .map(win -> win.path("awardId").asInt()))
                .containsExactly(1, 2, 2, 2, 2, 2);
        proves(activity, entries, drawn);
        voids(activity, entries, drawn);

        assertThat(lastLines(activity)).contains("wins       7").doesNotContain("differs");
        StoredFacts.awaitSound();
    }

    @Test
    @DisplayName("An entry without a key whose number cannot be read is not to be repeated, for it is made")
    void numberUnreadable() {
        Instant later = Instant.now().truncatedTo(ChronoUnit.SECONDS).plus(1, ChronoUnit.HOURS);
        TrialActivity activity = open(later, later.plusSeconds(10));
        JdbcClient owner = JdbcClient.create(new DriverManagerDataSource(
                Servers.property("lottery.postgres.url"),
                Servers.property("lottery.postgres.owner"),
                Servers.property("lottery.postgres.owner-password")));
        String role = Servers.property("lottery.postgres.user");
        owner.sql("REVOKE SELECT ON series_number FROM " + role).update();
        Reply made;
        try {
            made = await().atMost(SOON)
                    .until(
                            () -> here.post(activity.account("bob") + "/entries", ""),
                            reply -> !reply.code().equals("BUSY"));
        } finally {
            owner.sql("GRANT SELECT ON series_number TO " + role).update();
        }
        assertThat(made.code()).as(made.text()).isEqualTo("OUTCOME_UNKNOWN");
        assertThat(made.headers().containsHeader("Retry-After")).isFalse();
        assertThat(MadeEntry.of(patience.ask(() -> enter(activity, "bob", "next")))
                        .entryNo())
                .isEqualTo(2);
    }

    /** An activity that has entries before their close. */
    private record PoolWithEntries(TrialActivity activity, Instant drawAt, List<MadeEntry> entries) {}

    private PoolWithEntries begin(Instant closeAt) {
        Instant drawAt = closeAt.plusSeconds(10);
        TrialActivity activity = open(closeAt, drawAt);
        assertThat(patience.ask(() -> activity.draw("ann", "one")).code()).isEqualTo("DRAW_MODE");
        List<MadeEntry> entries = new ArrayList<>();
        for (int i = 0; i < ENOUGH; i++) {
            String key = "first-" + i;
            MadeEntry entry = MadeEntry.of(patience.ask(() -> enter(activity, "ann", key)));
            assertThat(MadeEntry.of(patience.ask(() -> enter(activity.at(there), "ann", key))))
                    .isEqualTo(entry);
            entries.add(entry);
        }
        return new PoolWithEntries(activity, drawAt, entries);
    }

    private static void proves(TrialActivity activity, List<MadeEntry> entries, JsonNode drawn) {
        Set<Integer> places = new HashSet<>();
        for (MadeEntry entry : entries.subList(0, Math.min(entries.size(), 50))) {
            JsonNode proof = activity.lottery()
                    .get(activity.path("/entries/" + entry.entryNo() + "/proof"))
                    .json();
            assertThat(EntryProofRoot.root(activity.id(), entry.entryNo(), entry.orderId(), proof.path("path")))
                    .isEqualTo(drawn.path("root").asString());
            assertThat(places.add(proof.path("place").asInt())).isTrue();
        }
        int winner = drawn.path("wins").get(0).path("entryNo").asInt();
        JsonNode proof = activity.lottery()
                .get(activity.path("/entries/" + winner + "/proof"))
                .json();
        assertThat(proof.path("place").asInt()).isEqualTo(1);
        assertThat(proof.path("awardId").asInt()).isEqualTo(1);
    }

    private static void voids(TrialActivity activity, List<MadeEntry> entries, JsonNode drawn) {
        int winner = drawn.path("wins").get(0).path("entryNo").asInt();
        String orderId = entries.stream()
                .filter(entry -> entry.entryNo() == winner)
                .map(MadeEntry::orderId)
                .findFirst()
                .orElseThrow();
        String record = "/api/v1/award-records/" + orderId.replace("order:", "award:") + "/void";
        String reason = "{\"reason\": \"The entry was bought\"}";
        String proposal = here.post(record, reason).json().path("proposalId").asString();
        assertThat(here.post("/api/v1/ops/proposals/" + proposal + "/decision", "{\"decision\": \"AGREE\"}")
                        .status())
                .isEqualTo(200);
        assertThat(here.post(record, reason).json().path("state").asString()).isEqualTo("VOIDED");
        await().atMost(SOON).until(() -> pool(activity).path("movedUp").size() == 1);
        JsonNode moved = pool(activity).path("movedUp").get(0);
        assertThat(moved.path("place").asInt()).isEqualTo(7);
        assertThat(moved.path("awardId").asInt()).isEqualTo(1);
        assertThat(moved.path("insteadOf").asInt()).isEqualTo(winner);
    }

    /** Verifies the export of an activity with the program, and returns what it says. */
    private static String lastLines(TrialActivity activity) throws Exception {
        Reply export = activity.lottery().get(activity.path("/draws/export"));
        Path file = Files.writeString(folder.resolve("draws.ndjson"), export.text());
        LotteryProcess verified = LotteryProcess.finished("verify", file.toString());
        assertThat(verified.exitStatus()).as(verified.output()).isZero();
        return verified.output();
    }

    @Test
    @DisplayName("An activity that is closed before its entries gives all chances back")
    void cancelled() throws Exception {
        TrialActivity activity = open(inSeconds(3_600), inSeconds(7_200));
        for (String user : List.of("ann", "bob")) {
            assertThat(enter(activity, user, user).status()).isEqualTo(201);
            assertThat(enter(activity, user, user + "-again").status()).isEqualTo(201);
        }
        await().atMost(SOON).until(() -> left(activity, "ann") == 98);
        assertThat(here.post(activity.path("/transitions"), "{\"action\": \"close\"}")
                        .status())
                .isEqualTo(200);
        await().atMost(SOON).until(() -> left(activity, "ann") == 100 && left(activity, "bob") == 100);
        awaitState(activity, "CANCELLED");
        assertThat(here.post(activity.path("/transitions"), "{\"action\": \"open\"}")
                        .code())
                .isEqualTo("ACTIVITY_STATE");
    }

    private static int left(TrialActivity activity, String user) {
        return activity.lottery()
                .get(activity.account(user))
                .json()
                .path("total")
                .path("left")
                .asInt(-1);
    }
}
