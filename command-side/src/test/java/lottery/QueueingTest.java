package lottery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import lottery.Http.Response;
import lottery.messaging.draw.QueuedDrawRequest;
import lottery.store.command.CommandFailedException;
import lottery.store.command.CommandSender;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.commandhandling.GenericCommandMessage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

@DisplayName("A request that waits for its draw")
@SpringBootTest(classes = TestLottery.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class QueueingTest {

    private static final String COFFEE = """
            "mode": "SINGLE", "awards": [{"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "1", "sort": 1}]""";

    private static final String[] NO_KEY = {};

    private final Http http;
    private final DrawQueueInMemory queue;
    private final CommandSender commands;
    private final JdbcClient database;
    private final TestActivity activity;

    @Autowired
    QueueingTest(@LocalServerPort int port, DrawQueueInMemory queue, CommandSender commands, JdbcClient database) {
        this.http = new Http(port);
        this.queue = queue;
        this.commands = commands;
        this.database = database;
        this.activity = TestActivity.open(http, COFFEE);
    }

    @AfterEach
    void emptyQueue() {
        queue.takeAll();
    }

    private Response ask(String user, String body, String... key) {
        List<String> headers = new ArrayList<>(List.of("Prefer", "respond-async, wait=10"));
        if (key.length > 0) {
            headers.addAll(List.of("Idempotency-Key", key[0]));
        }
        return http.post(activity.account(user) + "/draws", body, headers.toArray(String[]::new));
    }

    private Response order(Response accepted) {
        return http.get(
                "/api/v1/raffle-orders/" + accepted.json().get("orderId").asString());
    }

    /** Draws everything that waits in one commit, as the consumer does. */
    private void drawAll() {
        commands.sendAll(queue.takeAll().stream().map(QueueingTest::command).toList());
    }

    private static CommandMessage<?> command(QueuedDrawRequest request) {
        return new GenericCommandMessage<>(request.command());
    }

    private List<@Nullable String> eventsSince(long position) {
        return database.sql("SELECT type FROM event_readable WHERE position > ? ORDER BY position")
                .param(position)
                .query(String.class)
                .list();
    }

    private long head() {
        return database.sql("SELECT position FROM event_head").query(Long.class).single();
    }

    @Test
    @DisplayName("It is accepted with its position, shows as QUEUED, and is USED with its draw when its turn has come.")
    void drawn() {
        activity.recharge("ann");
        Response accepted = ask("ann", "", "key");
        assertThat(accepted.status()).as(accepted.text()).isEqualTo(202);
        assertThat(accepted.json().get("state").asString()).isEqualTo("QUEUED");
        assertThat(accepted.json().get("position").asInt()).isEqualTo(1);
        String id = accepted.json().get("orderId").asString();
        assertThat(accepted.header("Location")).isEqualTo("/api/v1/raffle-orders/" + id);
        assertThat(accepted.header("Preference-Applied")).isEqualTo("respond-async");
        assertThat(accepted.header("Retry-After")).isEqualTo("1");
        Response waits = order(accepted);
        assertThat(waits.json().get("state").asString()).isEqualTo("QUEUED");
        assertThat(waits.json().get("position").asInt()).isEqualTo(1);
        drawAll();
        Response used = order(accepted);
        assertThat(used.json().get("state").asString()).isEqualTo("USED");
        assertThat(used.json().get("award").get("title").asString()).isEqualTo("Coffee");
        // The same request is answered at once now, in whichever way it asks.
        Response again = ask("ann", "", "key");
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.json().get("orderId").asString()).isEqualTo(id);
        assertThat(activity.draw("ann", "key").text()).isEqualTo(again.text());
        assertThat(queue.takeAll()).isEmpty();
    }

    @Test
    @DisplayName("It waits once, however often it is sent, and its key is not for another request.")
    void once() {
        Response first = ask("ann", "", "key");
        Response again = ask("ann", "", "key");
        assertThat(again.status()).isEqualTo(202);
        assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
        assertThat(again.header("Lottery-Position"))
                .as("its draw is not stored yet")
                .isEmpty();
        assertThat(again.text()).isEqualTo(first.text());
        assertThat(queue.takeAll()).hasSize(1);
    }

    @Test
    @DisplayName("Its refusal is stored, also without an account, beside the draws of others in the same commit.")
    void refused() {
        activity.recharge("ann");
        activity.recharge("bob");
        Response first = ask("ann", "", "key");
        Response nobody = ask("nobody", "", "key");
        Response last = ask("bob", "", "key");
        long before = head();
        drawAll();
        assertThat(eventsSince(before))
                .containsExactly(
                        "account.chance-spent",
                        "raffle.drawn",
                        "award.won",
                        "raffle.order-refused",
                        "account.chance-spent",
                        "raffle.drawn",
                        "award.won");
        assertThat(order(first).json().get("state").asString()).isEqualTo("USED");
        assertThat(order(last).json().get("state").asString()).isEqualTo("USED");
        Response refused = order(nobody);
        assertThat(refused.json().get("state").asString()).isEqualTo("REFUSED");
        assertThat(refused.json().get("refusal").get("code").asString()).isEqualTo("QUOTA_TOTAL");
        assertThat(refused.json().get("refusal").get("title").asString()).isNotBlank();
        // The refusal is the answer for ever, also when there are chances.
        activity.recharge("nobody");
        assertThat(ask("nobody", "", "key").json().get("code").asString()).isEqualTo("QUOTA_TOTAL");
        assertThat(activity.draw("nobody", "key").json().get("code").asString()).isEqualTo("QUOTA_TOTAL");
        assertThat(activity.draw("nobody", "other").status()).isEqualTo(201);
        assertThat(activity.drawOrder(nobody.json().get("orderId").asString()).status())
                .isEqualTo(404);
    }

    @Test
    @DisplayName("Several draws, or the draw of an open order, are shown under the id of the request.")
    void answeredByOthers() {
        activity.recharge("ann");
        String open = activity.partake("ann", "take").json().get("orderId").asString();
        Response one = ask("ann", "", "one");
        Response three = ask("ann", "{\"count\": 3}", "three");
        drawAll();
        Response ofOpen = order(one);
        assertThat(ofOpen.json().get("state").asString()).isEqualTo("USED");
        assertThat(ofOpen.json().get("draws").get(0).get("orderId").asString()).isEqualTo(open);
        assertThat(order(three).json().get("draws").size()).isEqualTo(3);
    }

    @Test
    @DisplayName("It is drawn in its turn, and many of one user are drawn as often as there are chances.")
    void order() {
        TestActivity scarce = TestActivity.open(http, COFFEE, """
                "skus": [{"sku": 1, "total": 3, "month": 3, "day": 3}]""");
        scarce.recharge("ann");
        List<String> ids = IntStream.range(0, 5)
                .mapToObj(i -> http.post(
                                scarce.account("ann") + "/draws",
                                "",
                                "Prefer",
                                "respond-async",
                                "Idempotency-Key",
                                "key-" + i)
                        .json()
                        .get("orderId")
                        .asString())
                .toList();
        long before = head();
        drawAll();
        assertThat(database.sql("SELECT aggregate_id FROM event_readable WHERE position > ?"
                                + " AND type IN ('raffle.drawn', 'raffle.order-refused') ORDER BY position")
                        .param(before)
                        .query(String.class)
                        .list())
                .isEqualTo(ids);
        assertThat(eventsSince(before)).filteredOn("raffle.drawn"::equals).hasSize(3);
    }

    @Test
    @DisplayName("It needs a key, and is refused at once where that is sure: no activity, not open, or banned.")
    void door() {
        assertThat(ask("ann", "", NO_KEY).status()).isEqualTo(428);
        assertThat(http.post(
                                "/api/v1/activities/1/accounts/ann/draws",
                                "",
                                "Prefer",
                                "respond-async",
                                "Idempotency-Key",
                                "key")
                        .status())
                .isEqualTo(404);
        assertThat(http.post("/api/v1/users/banned-ann/ban", "{\"reason\": \"fraud\"}")
                        .status())
                .isEqualTo(201);
        assertThat(ask("banned-ann", "", "key").json().get("code").asString()).isEqualTo("USER_BANNED");
        assertThat(ask("ann", "{\"count\": 11}", "key").status()).isEqualTo(400);
        activity.transition("close");
        assertThat(ask("ann", "", "key").json().get("code").asString()).isEqualTo("ACTIVITY_NOT_OPEN");
        assertThat(queue.takeAll()).isEmpty();
    }

    @Test
    @DisplayName("It is refused when its turn comes, if its activity was closed or its user banned meanwhile.")
    void changedMeanwhile() {
        activity.recharge("ann");
        activity.recharge("late-ann");
        Response banned = ask("late-ann", "", "key");
        assertThat(http.post("/api/v1/users/late-ann/ban", "{\"reason\": \"fraud\"}")
                        .status())
                .isEqualTo(201);
        Response closed = ask("ann", "", "key");
        activity.transition("close");
        drawAll();
        assertThat(order(banned).json().get("refusal").get("code").asString()).isEqualTo("USER_BANNED");
        assertThat(order(closed).json().get("refusal").get("code").asString()).isEqualTo("ACTIVITY_NOT_OPEN");
    }

    @Test
    @DisplayName("A pause refuses new requests, and those whose turn comes during it. What was drawn keeps its answer.")
    void paused() {
        activity.recharge("ann");
        Response drawn = ask("ann", "", "drawn");
        drawAll();
        Response early = ask("ann", "", "early");
        Response late = ask("ann", "", "late");
        List<QueuedDrawRequest> waiting = queue.takeAll();
        activity.transition("pause");
        assertThat(ask("ann", "", "during").json().get("code").asString()).isEqualTo("ACTIVITY_PAUSED");
        assertThat(ask("ann", "", "drawn").json().get("orderId"))
                .isEqualTo(drawn.json().get("orderId"));
        commands.sendAll(List.of(command(waiting.getFirst())));
        assertThat(order(early).json().get("refusal").get("code").asString()).isEqualTo("ACTIVITY_PAUSED");
        activity.transition("resume");
        commands.sendAll(List.of(command(waiting.getLast())));
        assertThat(order(late).json().get("state").asString()).isEqualTo("USED");
        assertThat(ask("ann", "", "early").json().get("code").asString()).isEqualTo("ACTIVITY_PAUSED");
    }

    @Test
    @DisplayName("An activity can let all draws wait.")
    void byDefault() {
        TestActivity queued = TestActivity.open(http, COFFEE, """
                "queued": true, "skus": [{"sku": 1, "total": 3, "month": 3, "day": 3}]""");
        assertThat(queued.draw("ann", "key").status()).isEqualTo(202);
    }

    @Test
    @DisplayName("It is not drawn again if it comes twice: the second time nothing of its batch is stored.")
    void twice() {
        activity.recharge("ann");
        Response accepted = ask("ann", "", "key");
        CommandMessage<?> request = command(queue.takeAll().getFirst());
        commands.sendAll(List.of(request));
        Response first = order(accepted);
        assertThatThrownBy(() -> commands.sendAll(List.of(request))).isInstanceOf(CommandFailedException.class);
        assertThat(order(accepted).text()).isEqualTo(first.text());
        assertThat(database.sql("SELECT count(*) FROM event_readable WHERE type = 'account.chance-spent'"
                                + " AND (payload ->> 'activityId')::bigint = ?")
                        .param(activity.id)
                        .query(Long.class)
                        .single())
                .isEqualTo(1);
    }

    @Test
    @DisplayName("Its stream ends with its draw.")
    void stream() {
        activity.recharge("ann");
        Response accepted = ask("ann", "", "key");
        drawAll();
        Response stream = http.get(
                "/api/v1/raffle-orders/" + accepted.json().get("orderId").asString() + "/stream");
        assertThat(stream.text()).contains("event: used\n").contains("\"title\":\"Coffee\"");
    }
}
