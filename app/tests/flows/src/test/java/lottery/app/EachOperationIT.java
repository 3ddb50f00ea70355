package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import lottery.app.LotteryProcess.Reply;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpMethod;
import tools.jackson.databind.JsonNode;

/** Asks for every operation of the contract within reach: one that no test asks for could answer anything. */
@DisplayName("Each operation of the contract")
@Order(1)
class EachOperationIT {

    private static final Duration SOON = Duration.ofSeconds(60);

    /** On a slow machine the entries close later, and a late freeze names a later draw. */
    private static final Duration DRAWN_MAX = Duration.ofMinutes(5);

    /**
     * Operations that are not asked for: an endless stream, those about events or messages that could not be handled,
     * and those about accounts, which a lottery behind a gateway does not have; IdentityIT asks for them.
     */
    private static final Set<String> OUT_OF_REACH = Set.of(
            "streamWinners",
            // Only the provider can sign it.
            "takePaymentCallback",
            "retryDeadLetter",
            "dropDeadLetter",
            "retryParkedEvent",
            "dropParkedEvent",
            "logIn",
            "logOut",
            "logInByPhone",
            "sendPhoneCode",
            "readSession",
            "changePassword",
            "putAccount",
            "listAccounts",
            "lockAccount",
            "unlockAccount",
            "listAccountChanges");

    private static final String API = "/api/v1";
    private static final String OPS = API + "/ops";

    private static final String CHANCES = """
            "skus": [{"sku": 1, "title": "Sign-in", "total": 20, "month": 20, "day": 20, "stock": 9}],
            "participationsMax": 100""";

    private static LotteryProcess lottery;

    @BeforeAll
    static void open() {
        lottery = GatewayLottery.process();
    }

    @Test
    @DisplayName("Each operation takes and answers what the contract says")
    void each() {
        get(API + "/session/ways");
        strategy();
        TrialActivity coffee = activity();
        chances(coffee);
        orders(coffee);
        draws(coffee);
        codes();
        parcels();
        pools();
        trees(coffee);
        credits();
        bans();
        persons();
        payments();
        rebates(coffee);
        signIns();
        projections();
        assertThat(lottery.accepted()).containsAll(CommittedContract.read().operations(OUT_OF_REACH));
    }

    private static JsonNode get(String path) {
        return accepted(new Patience().ask(() -> lottery.get(path)), 200);
    }

    private static JsonNode post(int status, String path, String body, String... headers) {
        Supplier<Reply> request = () -> lottery.post(path, body, headers);
        return status == 201 ? Patience.created(request).json() : accepted(new Patience().ask(request), status);
    }

    private static JsonNode put(String path, String body, String... headers) {
        Reply reply = new Patience().ask(() -> lottery.ask(HttpMethod.PUT, path, body, headers));
        return accepted(reply, reply.status() == 201 ? 201 : 200);
    }

    private static JsonNode accepted(Reply reply, int status) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(status);
        return reply.json();
    }

    /** Asks for an answer that comes bit by bit and is no document. */
    private static void stream(HttpMethod method, String path, String body, String type) {
        Reply reply = lottery.ask(method, path, body, "Accept", type);
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.headers().getFirst("ETag"))
                .as("an ETag holds an answer back until its end")
                .isNull();
    }

    private static void strategy() {
        String rules = """
                "mode": "OVERALL", "fallback": 1, "ratesAddUpToOne": false, "tierMode": "EXACT",
                "blacklist": {"users": ["bob"], "awardId": 1}, "tiers": [{"from": 3, "awardIds": [1, 2]}],
                "awards": [
                  {"awardId": 1, "title": "Points", "type": "CREDIT", "rate": "0.5", "sort": 1,
                   "amount": {"min": "0.5", "max": "2"}},
                  {"awardId": 2, "title": "Car", "subtitle": "Red", "type": "PHYSICAL", "rate": "0.0000001", "sort": 2,
                   "config": {"claimDays": "7"}, "stock": 1, "lockedUntilDraws": 1, "cost": "9999.5",
                   "grant": {"timing": "SCHEDULED", "at": "2100-01-01T00:00:00Z"}, "onFailure": "SUBSTITUTE"}],
                "tree": {"root": "lock",
                  "nodes": [{"node": "lock", "matter": "lock", "kind": "TEXT"}, {"node": "win", "result": "WIN"},
                    {"node": "lose", "result": "FALLBACK"}],
                  "lines": [{"from": "lock", "to": "win", "is": "=", "values": ["open"]},
                    {"from": "lock", "to": "lose", "is": "=", "values": ["locked"]}]}""";
        String strategies = API + "/strategies";
        post(201, strategies, "{\"strategyId\": 880001, %s}".formatted(rules));
        post(200, strategies, "{\"strategyId\": 880001, %s}".formatted(rules));
        put(strategies + "/880001", "{%s}".formatted(rules.replace("Red", "Blue")), "If-Match", "\"1\"");
        get(strategies + "?limit=1&cursor=880000");
        get(strategies + "/880001");
        get(strategies + "/880001?version=1");
        String simulation = "{\"draws\": 100, \"users\": 10, \"days\": 2, \"runs\": 2, \"seed\": 1, \"version\": 2}";
        post(200, strategies + "/880001/simulations", simulation);
        stream(HttpMethod.POST, strategies + "/880001/simulations", simulation, "text/event-stream");
    }

    private static TrialActivity activity() {
        String activity = """
                {"activityId": 880001, "name": "Draft", "description": "Not yet", "beginsAt": "2099-01-01T00:00:00+08:00",
                 "endsAt": "2100-01-01T00:00:00Z", "zone": "Asia/Tokyo", "strategyId": 880001,
                 "skus": [{"sku": 1, "total": 1, "month": 1, "day": 1, "priceCredits": "1.5"}]}""";
        post(201, API + "/activities", activity);
        post(200, API + "/activities", activity);
        put(API + "/activities/880001", activity.replace("Draft", "Better"));
        get(API + "/activities/880001/review");
        post(200, API + "/activities/880001/preflight", "");
        post(200, API + "/activities/880001/preflight", "{\"users\": 10, \"drawsPerUser\": 1, \"seed\": 1}");
        TrialActivity coffee = TrialActivity.open(lottery, """
                "mode": "SINGLE", "fallback": 1, "awards": [
                  {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "0.5", "sort": 1},
                  {"awardId": 2, "title": "Cinema", "subtitle": "Twice", "type": "TEXT", "rate": "0.5", "sort": 2, "stock": 50}]""", CHANCES);
        get(API + "/activities?state=DOING&limit=1");
        String next = get(API + "/activities?limit=1").path("next").asString();
        get(API + "/activities?limit=1&cursor=" + next);
        await().atMost(SOON).until(() -> lottery.get(coffee.path("")).status() == 200);
        get(coffee.path("/stock"));
        get(coffee.path("/odds"));
        get(coffee.path("/review"));
        return coffee;
    }

    private static void chances(TrialActivity coffee) {
        coffee.recharge("ann");
        accepted(coffee.recharge("ann", "first"), 200);
        String later = "{\"sku\": 1, \"outBusinessNo\": \"later-%d\", \"payLater\": true}".formatted(coffee.id());
        String recharge = post(201, coffee.account("ann") + "/recharges", later)
                .path("rechargeId")
                .asString();
        get(API + "/recharges/" + recharge);
        post(200, API + "/recharges/" + recharge + "/completion", "");
        post(200, API + "/recharges/" + recharge + "/completion", "{}");
        get(coffee.account("ann"));
    }

    private static void orders(TrialActivity coffee) {
        String orders = API + "/raffle-orders/";
        JsonNode first = accepted(coffee.partake("ann"), 201);
        accepted(coffee.partake("ann"), 200);
        String order = first.path("orderId").asString();
        get(orders + order);
        accepted(coffee.drawOrder(order), 201);
        get(orders + order);
        get(orders + order + "/proof");
        assertThat(lottery.get(orders + order + "/stream").text()).contains("event: used");
        String other = post(201, coffee.account("ann") + "/raffle-orders", "{}", "Idempotency-Key", "other")
                .path("orderId")
                .asString();
        post(200, orders + other + "/cancellation", "", "Idempotency-Key", "not-the-other");
    }

    private static void draws(TrialActivity coffee) {
        accepted(coffee.draw("ann", "one"), 201);
        accepted(coffee.draw("ann", "one"), 200);
        String[] queued = {"Prefer", "respond-async", "Idempotency-Key", "queued"};
        Reply waits = lottery.post(coffee.account("ann") + "/draws", "", queued);
        accepted(waits, 202);
        String order = API + "/raffle-orders/" + waits.json().path("orderId").asString();
        await().atMost(SOON)
                .until(() -> lottery.get(order).json().path("state").asString().equals("USED"));
        Reply several = lottery.post(coffee.account("ann") + "/draws", "{\"count\": 4}", "Idempotency-Key", "four");
        accepted(several, 201);
        String position = several.headers().getFirst("Lottery-Position");
        get(coffee.account("ann") + "?after=" + position);
        get(coffee.path("/awards?userId=ann&after=" + position));
        JsonNode wins = get(coffee.account("ann") + "/awards?limit=1&after=" + position);
        get(coffee.account("ann") + "/awards?cursor=" + wins.path("next").asString());
        get(API + "/award-records/"
                + wins.path("items").path(0).path("awardRecordId").asString());
        for (String list : List.of("/draws", "/raffle-orders", "/recharges")) {
            JsonNode page = get(coffee.account("ann") + list + "?limit=1&after=" + position);
            get(coffee.account("ann") + list + "?cursor=" + page.path("next").asString());
        }
        get(coffee.account("ann") + "/recharges?outBusinessNo=first");
        LocalDate today = LocalDate.now(ZoneOffset.UTC);
        get(coffee.path("/figures?from=%s&to=%s&after=%s".formatted(today.minusDays(1), today.plusDays(1), position)));
        get(coffee.path("/winners?limit=5&after=" + position));
        get(coffee.path("/odds/audit?after=" + position));
        post(200, coffee.path("/verifications"), "");
        stream(HttpMethod.POST, coffee.path("/verifications"), "", "text/event-stream");
        stream(HttpMethod.GET, coffee.path("/draws/export"), "", "application/x-ndjson");
    }

    private static void codes() {
        TrialActivity codes = TrialActivity.open(lottery, """
                "mode": "SINGLE", "awards": [
                  {"awardId": 1, "title": "Voucher", "type": "CODE", "rate": "1", "sort": 1, "stock": 3}]""", CHANCES);
        String pool = codes.path("/award-codes/1");
        post(200, pool, "{\"codes\": [\"A-1\", \"B 2\"]}");
        get(pool);
        String record = won(codes, "ann");
        await().atMost(SOON)
                .until(() ->
                        lottery.get(API + "/award-records/" + record + "/code").status() == 200);
    }

    private static String won(TrialActivity activity, String user) {
        activity.recharge(user);
        return accepted(activity.draw(user, user), 201).path("awardRecordId").asString();
    }

    private static void parcels() {
        TrialActivity parcels = TrialActivity.open(lottery, """
                "mode": "SINGLE", "awards": [
                  {"awardId": 1, "title": "Bicycle", "type": "PHYSICAL", "rate": "1", "sort": 1,
                   "grant": {"timing": "MANUAL"}, "onFailure": "MANUAL"}]""", CHANCES);
        String record = won(parcels, "ann");
        String award = API + "/award-records/" + record;
        await().atMost(SOON).until(() -> isListed("release", record));
        post(200, OPS + "/award-records/" + record + "/release", "");
        post(200, award + "/claim", """
                {"name": "Ann", "phone": "1", "address": "Harbour Street 1", "postalCode": "2", "note": "Ring twice"}""");
        awaitState(award, "DISPATCHED");
        post(200, OPS + "/award-records/" + record + "/invoices", "{\"reason\": \"It was lost\"}");
        post(200, OPS + "/sagas/grant/" + record + "/retry", "");
        get(OPS + "/sagas");
        post(200, award + "/fulfilments", "{\"result\": \"REJECTED\", \"reference\": \"r\", \"reason\": \"Broken\"}");
        await().atMost(SOON).until(() -> isListed("person", record));
        awaitState(award, "ON_DESK");
        post(200, OPS + "/award-records/" + record + "/remedy", """
                {"remedy": "RETURN_CHANCE", "reason": "The shop is closed"}""");
        awaitState(award, "COMPENSATED");
        get(OPS + "/decisions?limit=1");
        get(OPS + "/audit?actor=nobody&subject=activity:100&limit=1");
        get(OPS + "/personal-reads");
        get(OPS + "/parked-events");
        get(OPS + "/dead-letters?state=OPEN");
    }

    private static void pools() {
        EnteredPool entered = TrialActivity.before(8, EnteredPool::before);
        TrialActivity pool = entered.pool();
        await().atMost(DRAWN_MAX)
                .until(() -> lottery.get(pool.path("/pool"))
                        .json()
                        .path("state")
                        .asString()
                        .equals("DRAWN"));
        get(pool.path("/pool?winsAfter=1"));
        get(pool.path("/entries/1/proof"));
        String record = API + "/award-records/" + entered.order().replace("order:", "award:");
        agree(post(202, record + "/void", "{\"reason\": \"A trial\"}"));
        post(200, record + "/void", "{\"reason\": \"A trial\"}");
        get(pool.path(""));
    }

    /** A pool with an entry, before the close of its entries. */
    private record EnteredPool(TrialActivity pool, String order) {

        static EnteredPool before(Instant closeAt) {
            TrialActivity pool = TrialActivity.open(lottery, """
                "mode": "SINGLE", "awards": [
                  {"awardId": 1, "title": "Car", "type": "TEXT", "rate": "1", "sort": 1, "stock": 1,
                   "grant": {"timing": "MANUAL"}}]""", """
                "free": {"total": 9, "month": 9, "day": 9},
                "draw": {"mode": "SCHEDULED", "drawAt": "%s", "entriesCloseAt": "%s", "reserves": 1}""".formatted(closeAt.plusSeconds(1), closeAt));
            get(pool.path("/pool"));
            String entries = pool.account("ann") + "/entries";
            String order = post(201, entries, "", "Idempotency-Key", "a")
                    .path("orderId")
                    .asString();
            post(200, entries, "{}", "Idempotency-Key", "a");
            return new EnteredPool(pool, order);
        }
    }

    private static boolean isListed(String waitsFor, String record) {
        return get(OPS + "/grants?limit=100&waitsFor=" + waitsFor)
                .path("grants")
                .valueStream()
                .anyMatch(award -> award.path("awardRecordId").asString().equals(record));
    }

    private static void awaitState(String award, String state) {
        await().atMost(SOON)
                .until(() ->
                        lottery.get(award).json().path("state").asString("").equals(state));
    }

    private static void trees(TrialActivity coffee) {
        String tree = """
                {"root": "age", "nodes": [{"node": "age", "matter": "age", "kind": "NUMBER"},
                   {"node": "coffee", "result": "%d"}],
                 "lines": [{"from": "age", "to": "coffee", "is": ">=", "values": ["18"]}]}""".formatted(coffee.id());
        put(API + "/decision-trees/880001", tree);
        put(API + "/decision-trees/880001", tree.replace("18", "17"), "If-Match", "1");
        get(API + "/decision-trees/880001");
        post(200, API + "/activity-choices", """
                {"treeId": 880001, "userId": "ann", "matters": {"age": 21, "city": "Hangzhou"}}""");
        coffee.recharge("chosen");
        String chosen = "{\"treeId\": 880001, \"userId\": \"chosen\", \"matters\": {\"age\": 21}}";
        for (int status : List.of(201, 200)) {
            accepted(lottery.post(API + "/activity-choices/draws", chosen, "Idempotency-Key", "chosen-880001"), status);
        }
    }

    private static void credits() {
        String credits = API + "/users/each-operation/credits";
        String entry = "{\"amount\": \"12.5\", \"businessNo\": \"gift-1\", \"reason\": \"A gift\"}";
        post(201, credits + "/entries", entry);
        post(200, credits + "/entries", entry);
        String large = entry.replace("12.5", "5000").replace("gift-1", "gift-2");
        agree(post(202, credits + "/entries", large));
        post(200, credits + "/entries", large);
        String refused = large.replace("gift-2", "gift-3");
        post(
                200,
                proposal(post(202, credits + "/entries", refused)) + "/decision",
                "{\"decision\": \"DECLINE\", \"reason\": \"Too much\"}");
        get(OPS + "/proposals");
        get(OPS + "/proposals?state=PROPOSED&limit=1");
        get(credits);
        get(credits + "/entries?limit=1");
    }

    private static String proposal(JsonNode proposed) {
        return OPS + "/proposals/" + proposed.path("proposalId").asString();
    }

    /** Nobody is asked who he is here: two calls are needed all the same. */
    private static void agree(JsonNode proposed) {
        get(proposal(proposed));
        post(200, proposal(proposed) + "/decision", "{\"decision\": \"AGREE\"}");
    }

    private static void bans() {
        String ban = API + "/users/each-operation/ban";
        String form = "{\"until\": \"2100-01-01T00:00:00Z\", \"reason\": \"Many accounts\"}";
        post(201, ban, form);
        post(200, ban, form);
        get(API + "/bans?limit=1&cursor=a");
        accepted(lottery.ask(HttpMethod.DELETE, ban, null), 200);
        accepted(lottery.ask(HttpMethod.DELETE, ban, null), 200);
    }

    private static void persons() {
        String person = API + "/users/each-operation/person";
        get(person);
        String reason = "{\"reason\": \"Request 17\"}";
        Reply proposed = lottery.ask(HttpMethod.DELETE, person, reason);
        accepted(proposed, 202);
        accepted(lottery.ask(HttpMethod.DELETE, person, reason), 202);
        agree(proposed.json());
        accepted(lottery.ask(HttpMethod.DELETE, person, reason), 204);
        get(person);
    }

    private static void rebates(TrialActivity coffee) {
        String rules = API + "/rebate-rules";
        String rule = """
                {"behaviour": "share-880001", "rebates": [{"kind": "SKU", "activityId": %d, "sku": 1},
                   {"kind": "CREDIT", "amount": "1.5"}], "limit": {"count": 9, "period": "MONTH"}, "state": "OPEN"}""".formatted(coffee.id());
        Reply proposed = lottery.ask(HttpMethod.PUT, rules + "/880001", rule);
        accepted(proposed, 202);
        agree(proposed.json());
        put(rules + "/880001", rule);
        put(rules + "/880002", rule.replace("OPEN", "CLOSED"));
        get(rules + "/880001");
        get(rules + "?limit=1&cursor=880000");
        String behaviours = API + "/users/each-operation/behaviours";
        String shared = "{\"behaviour\": \"share-880001\", \"outBusinessNo\": \"one\"}";
        String behaviour = post(201, behaviours, shared).path("behaviourId").asString();
        post(200, behaviours, shared);
        awaitRebates(behaviours + "/" + behaviour, "DONE");
        String reason = "{\"reason\": \"The codes are wrong\"}";
        accepted(lottery.post(coffee.path("/awards/1/hold"), reason), 200);
        accepted(lottery.post(coffee.path("/awards/1/release"), reason), 200);
        accepted(lottery.post(coffee.path("/transitions"), "{\"action\": \"close\"}"), 200);
        String late = post(201, behaviours, shared.replace("one", "two"))
                .path("behaviourId")
                .asString();
        awaitRebates(behaviours + "/" + late, "REFUSED");
        await().atMost(SOON)
                .until(() -> get(OPS + "/rebates?limit=100")
                        .path("rebates")
                        .valueStream()
                        .anyMatch(
                                rebate -> rebate.path("behaviourId").asString().equals(late)));
        post(200, OPS + "/rebates/" + late + "/880001/0/retry", "");
        String drop = OPS + "/rebates/" + late + "/880001/0/drop";
        JsonNode dropped = post(202, drop, "{\"reason\": \"It is over\"}");
        post(200, proposal(dropped) + "/decision", "{\"decision\": \"AGREE\"}");
        post(200, drop, "{\"reason\": \"It is over\"}");
    }

    private static void payments() {
        TrialActivity shop = TrialActivity.open(lottery, """
                "mode": "SINGLE", "awards": [
                  {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "1", "sort": 1}]""", """
                "skus": [{"sku": 1, "total": 1, "month": 1, "day": 1, "entitlement": "course",
                  "price": {"amount": "9.9", "currency": "CNY"}}]""");
        String payments = shop.account("ann") + "/payments";
        String order = "{\"sku\": 1, \"provider\": \"simulator\", \"outBusinessNo\": \"buy-%d\"}".formatted(shop.id());
        JsonNode ordered = post(201, payments, order);
        post(200, payments, order);
        String payment = API + "/payments/" + ordered.path("paymentId").asString();
        assertThat(lottery.ask(HttpMethod.GET, payment + "/qr.png", null, "Accept", "image/png")
                        .status())
                .isEqualTo(200);
        String code = ordered.path("code").asString();
        assertThat(lottery.post(code.substring(code.indexOf("/pay/")), "{}").status())
                .isEqualTo(200);
        await().atMost(SOON).until(() -> get(payment).path("state").asString().equals("DELIVERED"));
        accepted(shop.draw("ann", "paid"), 201);
        String entitlements = API + "/users/ann/entitlements";
        await().atMost(SOON).until(() -> get(entitlements).path("items").size() == 1);
        JsonNode listed = get(payments + "?limit=1").path("items").get(0);
        get(API + "/ops/payments?state=DELIVERED");
        get(API + "/payment-providers");
        String decision = API + "/ops/payments/" + listed.path("paymentId").asString() + "/decision";
        String refund =
                """
                {"decision": "REFUND", "provider": "simulator", "tradeNo": "%s", "reason": "A present"}""".formatted(listed.path("trades").get(0).path("tradeNo").asString());
        post(200, decision, refund);
        await().atMost(SOON).until(() -> get(payment).path("state").asString().equals("REFUNDED"));
        post(200, decision, refund);
        await().atMost(SOON).until(() -> get(entitlements).path("items").isEmpty());
        reconciliation(listed.path("paymentId").asString());
    }

    private static void reconciliation(String paymentId) {
        String ops = OPS + "/payments";
        post(202, ops + "/" + paymentId + "/search", "");
        String file = "tradeNo,kind,amount,currency,paymentNo\nunknown,TAKEN,9.90,CNY,";
        JsonNode summary = put(ops + "/statements/simulator/2020-01-01", file, "Content-Type", "text/csv");
        assertThat(summary.path("differences").asInt()).isOne();
        assertThat(get(ops + "/differences?limit=1")
                        .path("items")
                        .get(0)
                        .path("tradeNo")
                        .asString())
                .isEqualTo("unknown");
        get(ops + "/statements?limit=1");
        assertThat(lottery.post(ops + "/differences/decision", """
                        {"provider": "simulator", "tradeNo": "unknown", "kind": "TAKEN", "statedAmount": "9.90",
                         "statedCurrency": "CNY", "reason": "Of another shop"}""").status()).isEqualTo(204);
        LocalDate today = LocalDate.now(ZoneOffset.UTC);
        Reply trades = lottery.ask(
                HttpMethod.GET,
                "%s/trades.csv?from=%s&to=%s".formatted(ops, today.minusDays(1), today),
                null,
                "Accept",
                "text/csv");
        assertThat(trades.text()).contains(",simulator,", ",REFUNDED,");
    }

    private static void signIns() {
        String signIns = API + "/users/each-operation/sign-ins";
        String body = "{\"zone\": \"Pacific/Kiritimati\"}";
        String day = post(201, signIns, body).path("day").asString();
        post(200, signIns, "");
        get(signIns);
        get(signIns + "?month=" + day.substring(0, 7) + "&zone=Europe/Berlin");
    }

    private static void awaitRebates(String behaviour, String first) {
        await().atMost(SOON)
                .until(() -> get(behaviour)
                        .path("rebates")
                        .get(0)
                        .path("state")
                        .asString()
                        .equals(first));
    }

    private static void projections() {
        List<String> names = get(OPS + "/projections")
                .path("items")
                .valueStream()
                .filter(state -> state.path("replayable").asBoolean())
                .map(state -> state.path("name").asString())
                .toList();
        assertThat(names).isNotEmpty();
        post(202, OPS + "/projections/" + names.getFirst() + "/replay", "");
        await().atMost(SOON)
                .until(() ->
                        get(OPS + "/projections").path("items").valueStream().noneMatch(state -> state.has("replay")));
    }
}
