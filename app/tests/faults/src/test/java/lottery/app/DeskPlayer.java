package lottery.app;

import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import lottery.app.LotteryProcess.Reply;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import tools.jackson.databind.JsonNode;

/** A person at the desk and at operations, who bans one user again and again, and meddles with everything else. */
final class DeskPlayer {

    private static final String REASON = "{\"reason\": \"A storm\"}";

    private final String outlaw;
    private final Random choices;
    private final AnswerLedger ledger;
    private final Supplier<PlayedActivities> at;

    /** Whether the outlaw is banned; null: nobody knows, because a request had no answer. */
    private @Nullable Boolean isBanned = false;

    DeskPlayer(String outlaw, long seed, AnswerLedger ledger, Supplier<PlayedActivities> at) {
        this.outlaw = outlaw;
        this.choices = new Random(seed);
        this.ledger = ledger;
        this.at = at;
    }

    void act() {
        switch (choices.nextInt(20)) {
            case 0, 1, 2, 3, 4, 5, 6, 7 -> ban();
            case 8, 9 -> hold();
            case 10 -> replay(); // Seldom, because each one reads all that the trials have stored.
            default -> decide();
        }
    }

    private Reply ask(HttpMethod method, String path, @Nullable String body, Set<String> refusals) {
        Reply reply = ledger.noted(at.get().lottery().ask(method, path, body));
        if (reply.status() >= 300 && reply.status() != 503 && !refusals.contains(reply.code())) {
            ledger.accuse("%s %s of the desk: %d %s".formatted(method, path, reply.status(), reply.text()));
        }
        return reply;
    }

    /** Bans the outlaw or lets him in again, and looks whether it holds for his next draw at the same process. */
    private void ban() {
        boolean bans = isBanned == null || !isBanned;
        if (!bans && choices.nextBoolean()) {
            draw(true);
            return;
        }
        isBanned = null;
        String path = "/api/v1/users/" + outlaw + "/ban";
        Reply reply = ask(bans ? HttpMethod.POST : HttpMethod.DELETE, path, bans ? REASON : null, Set.of());
        if (reply.status() < 300) {
            isBanned = bans;
            draw(bans);
        }
    }

    private void draw(boolean banned) {
        Reply draw = ledger.noted(at.get().lottery().post(at.get().atOnce().account(outlaw) + "/draws", ""));
        if (draw.status() != 503 && banned != draw.code().equals("USER_BANNED")) {
            ledger.accuse("%s, who is %sbanned, draws: %d %s"
                    .formatted(outlaw, banned ? "" : "not ", draw.status(), draw.text()));
        }
    }

    private void hold() {
        ask(
                HttpMethod.POST,
                at.get().atOnce().path("/awards/3/" + (choices.nextBoolean() ? "hold" : "release")),
                REASON,
                Set.of());
    }

    private void replay() {
        List<JsonNode> all = ask(HttpMethod.GET, "/api/v1/ops/projections", null, Set.of())
                .json()
                .path("items")
                .valueStream()
                .filter(each -> each.path("replayable").asBoolean())
                .toList();
        if (!all.isEmpty()) {
            String name = all.get(choices.nextInt(all.size())).path("name").asString();
            ask(HttpMethod.POST, "/api/v1/ops/projections/" + name + "/replay", "", Set.of("REPLAY_RUNNING"));
        }
    }

    /** Compensates an award of the played activity that waits at the desk, or asks its fulfilment once more. */
    private void decide() {
        long activity = at.get().atOnce().id();
        List<String> records = ask(HttpMethod.GET, "/api/v1/ops/grants?waitsFor=person&limit=100", null, Set.of())
                .json()
                .path("grants")
                .valueStream()
                .filter(grant -> grant.path("activityId").asLong() == activity)
                .map(grant -> grant.path("awardRecordId").asString())
                .toList();
        if (records.isEmpty()) {
            return;
        }
        String record = records.get(choices.nextInt(records.size()));
        boolean asks = choices.nextBoolean();
        ask(
                HttpMethod.POST,
                "/api/v1/ops/award-records/" + record + (asks ? "/invoices" : "/remedy"),
                asks ? REASON : "{\"remedy\": \"SUBSTITUTE\", \"reason\": \"A storm\"}",
                Set.of("AWARD_STATE"));
    }
}
