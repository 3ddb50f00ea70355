package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import lottery.app.LotteryProcess.Reply;
import tools.jackson.databind.JsonNode;

/** The requests for draws that may wait, and were accepted: each in the order in which its player was told. */
final class QueuedRequests {

    private static final Duration ENDED_MAX = Duration.ofSeconds(60);

    private record AcceptedRequest(String user, String key, String order) {}

    private final Map<Player, List<AcceptedRequest>> accepted = new ConcurrentHashMap<>();

    void turnPage() {
        accepted.clear();
    }

    void accept(Player player, String user, String key, String order) {
        accepted.computeIfAbsent(player, _ -> new CopyOnWriteArrayList<>()).add(new AcceptedRequest(user, key, order));
    }

    private List<AcceptedRequest> all() {
        return accepted.values().stream().flatMap(List::stream).toList();
    }

    int size() {
        return all().size();
    }

    /**
     * Waits until each request is drawn or refused. It requires that each has happened once, in the order of the
     * acceptances, and that the process which is asked says the same.
     */
    void requireEnded(TrialActivity activity) throws Exception {
        Set<String> open = ConcurrentHashMap.newKeySet();
        all().forEach(request -> open.add(request.order()));
        await("the draws of %d requests".formatted(open.size()))
                .atMost(ENDED_MAX)
                .untilAsserted(() -> {
                    StoredFacts.endedRequests(activity).forEach(open::remove);
                    assertThat(open).isEmpty();
                });
        List<String> ended = StoredFacts.endedRequests(activity);
        accepted.values().forEach(mine -> {
            List<String> orders = mine.stream().map(AcceptedRequest::order).toList();
            Set<String> set = new HashSet<>(orders);
            assertThat(ended.stream().filter(set::contains)).containsExactlyElementsOf(orders);
        });
        Set<String> refused = Set.copyOf(StoredFacts.orders(activity, "raffle.order-refused"));
        List<AcceptedRequest> requests = all();
        Crowd.calls(requests.size(), Players.CALLERS, i -> {
            // After a kill, a process takes a request for one that waits until it knows how far the queue was drawn.
            await(requests.get(i).order())
                    .atMost(ENDED_MAX)
                    .untilAsserted(() -> requireShown(
                            activity,
                            requests.get(i),
                            refused.contains(requests.get(i).order())));
            return i;
        });
    }

    private static void requireShown(TrialActivity activity, AcceptedRequest request, boolean isRefused) {
        Patience patience = new Patience();
        Reply shown = patience.ask(() -> activity.lottery().get("/api/v1/raffle-orders/" + request.order()));
        assertThat(shown.json().path("state").asString()).as(shown.text()).isEqualTo(isRefused ? "REFUSED" : "USED");
        Reply again = patience.ask(() -> activity.queue(request.user(), request.key()));
        if (isRefused) {
            assertThat(again.json().path("code").asString())
                    .isEqualTo(shown.json().path("refusal").path("code").asString());
        } else {
            JsonNode older = shown.json().path("draws").path(0).path("orderId");
            assertThat(again.json().path("orderId").asString())
                    .as(again.text())
                    .isEqualTo(older.asString(request.order()));
        }
    }
}
