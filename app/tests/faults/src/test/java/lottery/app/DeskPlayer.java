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

    /** The refusal that a desk has to expect about an award, because the other desk may be faster. */
    private static final Set<String> REFUSALS = Set.of("AWARD_STATE");

    private final String outlaw;
    private final Random choices;
    private final AnswerLedger ledger;
    private final Supplier<PlayedActivities> at;

    /** Whether the activity may be paused. */
    private boolean isPaused;

    /** Whether the outlaw is banned; null: nobody knows, because a request had no answer. */
    private @Nullable Boolean isBanned = false;

    DeskPlayer(String outlaw, long seed, AnswerLedger ledger, Supplier<PlayedActivities> at) {
        this.outlaw = outlaw;
        this.choices = new Random(seed);
        this.ledger = ledger;
        this.at = at;
    }

    void act() {
        if (isPaused) {
            resume();
            return;
        }
        switch (choices.nextInt(24)) {
            case 0, 1, 2, 3, 4, 5, 6, 7 -> ban();
            case 8, 9 -> hold();
            case 10 -> replay(); // Seldom, because each one reads all that the trials have stored.
            case 11, 12 -> pause();
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

    /** Pauses the activity until the next action. */
    private void pause() {
        isPaused = true;
        transit("pause");
    }

    private Reply resume() {
        Reply reply = transit("resume");
        isPaused = reply.status() == 503;
        return reply;
    }

    private Reply transit(String action) {
        return ask(
                HttpMethod.POST,
                at.get().atOnce().path("/transitions"),
                "{\"action\": \"%s\"}".formatted(action),
                Set.of("ACTIVITY_STATE"));
    }

    /** Lets the activity go on, when all faults are over. */
    void leave() {
        new Patience().ask(this::resume);
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

    /**
     * Compensates an award of the played activity that waits at the desk, asks its fulfilment once more, or takes it
     * from its winner.
     */
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
        String path = "/api/v1/ops/award-records/" + record;
        switch (choices.nextInt(5)) {
            case 0, 1 -> ask(HttpMethod.POST, path + "/invoices", REASON, REFUSALS);
            case 2, 3 ->
                ask(
                        HttpMethod.POST,
                        path + "/remedy",
                        "{\"remedy\": \"SUBSTITUTE\", \"reason\": \"A storm\"}",
                        REFUSALS);
            default -> voidAward(record);
        }
    }

    /** Proposes that an award is taken from its winner, and agrees, as another person would. */
    private void voidAward(String record) {
        Reply proposed = ask(HttpMethod.POST, "/api/v1/award-records/" + record + "/void", REASON, REFUSALS);
        if (proposed.status() == 202) {
            ask(
                    HttpMethod.POST,
                    "/api/v1/ops/proposals/%s/decision"
                            .formatted(proposed.json().path("proposalId").asString()),
                    "{\"decision\": \"AGREE\"}",
                    REFUSALS);
        }
    }
}
