package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import lottery.app.LotteryProcess.Reply;

/** Asks for users, and notes each answer that has to stay the same, and each that should not have been given. */
final class AnswerLedger {

    /** The refusals that a user has to expect. */
    private static final Set<String> USUAL = Set.of(
            "QUOTA_TOTAL",
            "QUOTA_MONTH",
            "QUOTA_DAY",
            "ACTIVITY_FULL",
            "ACTIVITY_PAUSED",
            "SKU_SOLD_OUT",
            "CREDITS_SHORT",
            "ORDER_USED",
            "ORDER_CANCELLED",
            "CANCELLATION_LIMIT",
            "ENTRIES_CLOSED");

    private final LongAdder requests = new LongAdder();
    private final LongAdder unanswered = new LongAdder();
    private final Map<String, LongAdder> answered = new ConcurrentSkipListMap<>();
    private final Map<RepeatableRequest, String> promised = new ConcurrentHashMap<>();

    /** The orders of the played activities that were named in an answer, with a key or without. */
    private final Set<String> heard = ConcurrentHashMap.newKeySet();

    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();

    /** Forgets the answers of other activities. */
    void turnPage() {
        promised.clear();
        heard.clear();
    }

    /**
     * Asks, and notes the answer.
     *
     * @param refusals what else than the usual refusals has to be expected
     */
    Reply ask(LotteryProcess lottery, RepeatableRequest request, String... refusals) {
        boolean wasPromised = promised.containsKey(request);
        Reply reply = noted(request.of(lottery));
        boolean isDone = reply.status() == 200 || reply.status() == 201;
        if (isDone && request.path().startsWith("/api/v1/activities/")) {
            reply.json().findValues("orderId").forEach(order -> heard.add(order.asString()));
        }
        if (isDone && request.keepsAnswer()) {
            String earlier = promised.putIfAbsent(request, kept(reply));
            if (earlier != null && !earlier.equals(kept(reply))) {
                accuse("%s was %s and is %s".formatted(request, earlier, reply.text()));
            }
        }
        boolean isExpected = isDone
                || reply.status() == 503
                || (!wasPromised
                        && (USUAL.contains(reply.code()) || List.of(refusals).contains(reply.code())));
        if (!isExpected) {
            accuse("%s: %d %s".formatted(request, reply.status(), reply.text()));
        }
        return reply;
    }

    /** Returns what stays the same. With several logs, an entry gets its number later. */
    private static String kept(Reply reply) {
        return Servers.LOGS == 1 ? reply.text() : reply.text().replaceFirst(",\"entryNo\":\\d+", "");
    }

    /** Counts an answer, and returns it. */
    Reply noted(Reply reply) {
        requests.increment();
        answered.computeIfAbsent(outcome(reply), _ -> new LongAdder()).increment();
        return reply;
    }

    private static String outcome(Reply reply) {
        return reply.status() < 300 ? Integer.toString(reply.status()) : reply.code();
    }

    /** Notes that a request had no answer, so that nothing was promised. */
    void unanswered() {
        requests.increment();
        unanswered.increment();
    }

    void accuse(String what) {
        wrong.add(what);
    }

    /** Returns a request whose answer has to stay the same, if there is one. */
    Optional<RepeatableRequest> any(Random choices) {
        List<RepeatableRequest> earlier = List.copyOf(promised.keySet());
        return earlier.isEmpty() ? Optional.empty() : Optional.of(earlier.get(choices.nextInt(earlier.size())));
    }

    /**
     * Asks once more for all that was promised, and requires the same answers, and all orders of which anybody heard.
     */
    void requirePromises(PlayedActivities played) throws Exception {
        Patience patience = new Patience();
        List<RepeatableRequest> all = List.copyOf(promised.keySet());
        Crowd.calls(all.size(), Players.CALLERS, i -> {
            RepeatableRequest request = all.get(i);
            Reply reply = patience.ask(() -> request.of(played.lottery()));
            assertThat(reply.status()).as("%s: %s", request, reply.text()).isEqualTo(200);
            assertThat(kept(reply)).as(request.toString()).isEqualTo(promised.get(request));
            return i;
        });
        Set<String> missing = new HashSet<>(heard);
        missing.removeAll(StoredFacts.orders(played.atOnce()));
        missing.removeAll(StoredFacts.orders(played.pooled()));
        assertThat(missing).as("orders that were answered and are not stored").isEmpty();
    }

    /** Returns how many answers have to stay the same. */
    int promises() {
        return promised.size();
    }

    /** Returns what was answered so far: the status of success, or the code of a refusal. */
    Set<String> outcomes() {
        return answered.keySet();
    }

    /** Returns what should not have been answered. */
    List<String> wrong() {
        return List.copyOf(wrong);
    }

    /** Returns all that was answered, for people. */
    String summary() {
        return "%d requests, %d of them without an answer: %s".formatted(requests.sum(), unanswered.sum(), answered);
    }
}
