package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import lottery.app.LotteryProcess.Reply;
import org.springframework.web.client.ResourceAccessException;

/** Users who do everything that users do, people at the desk, and what has to be true of what they were told. */
final class Players {

    static final int USERS = 20;

    /** More callers than users, so that some users do two things at once. */
    static final int CALLERS = 32;

    /**
     * The belongings of a user. The entries and the codes are those of all users, because no two may have the same.
     *
     * @param orders what was begun and may be open
     * @param recharges what may be open
     * @param wins the award records
     * @param bought how many chances were bought for credits
     */
    record PlayerBelongings(
            List<String> orders,
            List<String> recharges,
            List<String> wins,
            Map<Integer, String> entries,
            Map<String, String> codes,
            LongAdder bought) {}

    private final AnswerLedger ledger = new AnswerLedger();
    private final QueuedRequests queued = new QueuedRequests();
    private final AtomicInteger numbers = new AtomicInteger();
    private final LongAdder bought = new LongAdder();
    private final Map<Integer, String> entries = new ConcurrentHashMap<>();
    private final Map<String, String> codes = new ConcurrentHashMap<>();
    private final List<PlayerBelongings> belongings = new ArrayList<>();

    Players() {
        for (int i = 0; i < USERS; i++) {
            belongings.add(new PlayerBelongings(
                    new CopyOnWriteArrayList<>(),
                    new CopyOnWriteArrayList<>(),
                    new CopyOnWriteArrayList<>(),
                    entries,
                    codes,
                    bought));
        }
    }

    /** Opens activities for all that follows, and gives each user the credits for two recharges. */
    PlayedActivities open(LotteryProcess lottery, int participationsMax) {
        PlayedActivities played = PlayedActivities.open(lottery, participationsMax);
        belongings.forEach(own -> {
            own.orders().clear();
            own.recharges().clear();
            own.wins().clear();
        });
        entries.clear();
        codes.clear();
        ledger.turnPage();
        queued.turnPage();
        for (int user = 0; user < USERS; user++) {
            String credits = "/api/v1/users/user-" + user + "/credits/entries";
            Patience.created(() -> lottery.post(
                    credits,
                    "{\"amount\": \"3\", \"businessNo\": \"welcome-%d\"}"
                            .formatted(played.atOnce().id())));
        }
        return played;
    }

    private Player player(int caller, long seed, Supplier<PlayedActivities> at) {
        int user = caller % USERS;
        return new Player("user-" + user, belongings.get(user), seed, ledger, queued, numbers, at);
    }

    /**
     * Plays as one of the callers until the lottery is dead. The first answer of a round ends it soon, so the call that
     * no round may miss comes first.
     */
    void playUntilKilled(int caller, long seed, PlayedActivities played) {
        Player player = player(caller, seed, () -> played);
        try {
            player.rechargeForCredits();
            while (true) {
                player.act();
            }
        } catch (ResourceAccessException killed) {
            ledger.unanswered();
        } catch (RuntimeException e) {
            ledger.accuse(e.toString());
        }
    }

    /**
     * Plays as one of the callers until an end, at the process that is named each time.
     *
     * @param pause between what it does
     */
    void play(int caller, long seed, Supplier<PlayedActivities> at, Runnable pause, BooleanSupplier ends) {
        act(player(caller, seed, at)::act, pause, ends);
    }

    /** Does the same at the desk. */
    void playDesk(int caller, long seed, Supplier<PlayedActivities> at, Runnable pause, BooleanSupplier ends) {
        String outlaw = "outlaw-%d-%d".formatted(at.get().atOnce().id(), caller);
        DeskPlayer desk = new DeskPlayer(outlaw, seed, ledger, at);
        act(desk::act, pause, ends);
        try {
            desk.leave();
        } catch (RuntimeException | AssertionError e) {
            ledger.accuse("the desk cannot leave: " + e);
        }
    }

    private void act(Runnable action, Runnable pause, BooleanSupplier ends) {
        while (!ends.getAsBoolean()) {
            try {
                action.run();
            } catch (ResourceAccessException away) {
                ledger.unanswered();
            } catch (RuntimeException | AssertionError e) {
                ledger.accuse(e.toString());
            }
            pause.run();
        }
    }

    /** Requires that all answers are still the same, and that everything that was accepted has happened. */
    void requirePromises(PlayedActivities played) throws Exception {
        assertThat(ledger.wrong()).isEmpty();
        ledger.requirePromises(played);
        queued.requireEnded(played.atOnce());
    }

    /** Ends all that waits for the world: the parcels arrive, and the pool is drawn. */
    void settle(PlayedActivities played) {
        Patience patience = new Patience();
        // Also those whose claim had no answer.
        StoredFacts.awardRecords(played.atOnce(), "award.claimed").forEach(parcel -> {
            Reply arrived =
                    patience.ask(() -> played.lottery().post("/api/v1/award-records/" + parcel + "/fulfilments", """
                            {"result": "GRANTED", "reference": "parcel"}"""));
            assertThat(arrived.status()).as(arrived.text()).isEqualTo(200);
        });
        played.requireDrawn(entries);
        codes.forEach((code, record) -> assertThat(
                        patience.ask(() -> played.lottery().get("/api/v1/award-records/" + record + "/code"))
                                .json()
                                .path("code")
                                .asString())
                .isEqualTo(code));
    }

    /** Returns how many answers have to stay the same. */
    int promises() {
        return ledger.promises();
    }

    /** Returns how many chances were bought for credits. */
    long bought() {
        return bought.sum();
    }

    /** Returns what was answered so far: the status of success, or the code of a refusal. */
    Set<String> outcomes() {
        return ledger.outcomes();
    }

    /** Returns what should not have been answered. */
    List<String> wrong() {
        return ledger.wrong();
    }

    /** Returns all that happened, for people. */
    String summary() {
        return "%d bought, %d waited, %d codes read, %d entries; %s"
                .formatted(bought.sum(), queued.size(), codes.size(), entries.size(), ledger.summary());
    }
}
