package lottery.view.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.UnsupportedEncodingException;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import lottery.api.UserId;
import lottery.api.account.AccountEvent.AccountRecharged;
import lottery.api.account.AccountId;
import lottery.api.account.RechargeEvent.RechargeClosed;
import lottery.api.account.RechargeEvent.RechargeCompleted;
import lottery.api.account.RechargeEvent.RechargeOrdered;
import lottery.api.account.RechargeId;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ActivityEvent.ActivityCreated;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ChanceBundle;
import lottery.api.activity.SkuId;
import lottery.api.activity.SkuOffer;
import lottery.api.raffle.Outcome;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleEvent.RaffleOrderCancelled;
import lottery.api.raffle.RaffleEvent.RaffleOrderCreated;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.StrategyId;
import lottery.stage.OnStage;
import lottery.stage.PatientReader;
import lottery.stage.Script;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@OnStage
@DisplayName("The histories of an account")
class AccountHistoriesTest {

    private static final AtomicLong IDS = new AtomicLong(950_000);
    private static final UserId ANN = new UserId("ann");
    private static final Instant NOON = Instant.parse("2026-03-31T04:00:00Z");
    private static final ChanceBundle BUNDLE = new ChanceBundle(3, 2, 1);
    private static final SkuId FREE = new SkuId(1);
    private static final SkuId PRICED = new SkuId(2);

    private final MockMvcTester mvc;
    private final Script script;
    private final JdbcClient sql;

    private StrategyId strategy = new StrategyId(1);
    private ActivityId activity = new ActivityId(1);
    private AccountId account = new AccountId(activity, ANN);

    @Autowired
    AccountHistoriesTest(MockMvcTester mvc, Script script, JdbcClient sql) {
        this.mvc = mvc;
        this.script = script;
        this.sql = sql;
    }

    @BeforeEach
    void open() {
        strategy = new StrategyId(IDS.incrementAndGet());
        activity = new ActivityId(strategy.value());
        account = new AccountId(activity, ANN);
        ActivityDefinition plain = Script.definition(strategy, ZoneId.of("Asia/Shanghai"));
        script.happens(
                activity,
                new ActivityCreated(
                        activity,
                        new ActivityDefinition(
                                plain.name(),
                                null,
                                plain.beginsAt(),
                                plain.endsAt(),
                                plain.zone(),
                                strategy,
                                null,
                                null,
                                null,
                                List.of(
                                        new SkuOffer(FREE, null, BUNDLE, null, null, null, null, null),
                                        new SkuOffer(
                                                PRICED,
                                                null,
                                                BUNDLE,
                                                null,
                                                new BigDecimal("2.5"),
                                                null,
                                                null,
                                                null)))));
    }

    @Test
    @DisplayName("Draws are listed with what they won, also those that won nothing, the newest first.")
    void draws() throws UnsupportedEncodingException {
        RaffleOrderId nothing = script.spent(account, "2026-03-31");
        script.drawn(nothing, account, strategy, 1, Outcome.NOTHING, null);
        RaffleOrderId open = opened();
        RaffleOrderId coffee = script.spent(account, "2026-03-31");
        script.drawn(coffee, account, strategy, 1, Outcome.WON, new Prize(7, "Coffee", AwardType.TEXT, 1, null));
        script.used(account, open, "2026-03-31");
        script.drawn(open, account, strategy, 1, Outcome.FALLBACK, new Prize(8, "Tea", AwardType.TEXT, 1, null));
        opened();

        assertThat(walked("/draws", 20)).containsExactly(open.text(), coffee.text(), nothing.text());
        assertThat(get("/draws")).hasStatusOk().bodyJson().isLenientlyEqualTo("""
                {"items": [
                  {"orderId": "%s", "outcome": "FALLBACK", "award": {"awardId": 8, "title": "Tea", "type": "TEXT", "sort": 1},
                   "awardRecordId": "award:%s", "strategyVersion": 1, "drawnAt": "2026-03-31T04:00:00Z"},
                  {"orderId": "%s", "outcome": "WON", "award": {"awardId": 7, "title": "Coffee", "type": "TEXT", "sort": 1},
                   "awardRecordId": "award:%s", "strategyVersion": 1, "drawnAt": "2026-03-31T04:00:00Z"},
                  {"orderId": "%s", "outcome": "NOTHING", "strategyVersion": 1, "drawnAt": "2026-03-31T04:00:00Z"}]}""".formatted(
                        open.text(), open.key(), coffee.text(), coffee.key(), nothing.text()));
    }

    @Test
    @DisplayName("Orders are listed with their states, the newest chance first.")
    void orders() throws UnsupportedEncodingException {
        RaffleOrderId cancelled = opened();
        script.returned(account, cancelled, "2026-03-31");
        script.happens(cancelled, new RaffleOrderCancelled(cancelled, ANN, NOON.plusSeconds(1)));
        RaffleOrderId drawn = script.spent(account, "2026-03-31");
        script.drawn(drawn, account, strategy, 1, Outcome.NOTHING, null);
        RaffleOrderId open = opened();

        assertThat(walked("/raffle-orders", 20)).containsExactly(open.text(), drawn.text(), cancelled.text());
        assertThat(get("/raffle-orders")).hasStatusOk().bodyJson().isLenientlyEqualTo("""
                {"items": [
                  {"orderId": "%s", "state": "CREATED", "createdAt": "2026-03-31T04:00:00Z", "endedAt": null},
                  {"orderId": "%s", "state": "USED", "createdAt": "2026-03-31T04:00:00Z", "endedAt": "2026-03-31T04:00:00Z"},
                  {"orderId": "%s", "state": "CANCELLED", "createdAt": "2026-03-31T04:00:00Z",
                   "endedAt": "2026-03-31T04:00:01Z"}]}""".formatted(
                        open.text(), drawn.text(), cancelled.text()));
    }

    @ParameterizedTest
    @CsvSource({"draws,2", "draws,7", "draws,6", "raffle-orders,3"})
    @DisplayName("Page by page, each draw and each order is listed once.")
    void pages(String list, int limit) throws UnsupportedEncodingException {
        List<String> made = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            script.recharged(account, 1, 1, 1);
            RaffleOrderId order = script.spent(account, "2026-03-31");
            script.drawn(order, account, strategy, 1, Outcome.NOTHING, null);
            made.addFirst(order.text());
        }

        assertThat(walked("/" + list, limit)).isEqualTo(made);
    }

    @Test
    @DisplayName("A page reads a limited number of events, and the next one goes on after them.")
    void farApart() throws UnsupportedEncodingException {
        RaffleOrderId first = script.spent(account, "2026-03-31");
        script.drawn(first, account, strategy, 1, Outcome.NOTHING, null);
        for (int i = 0; i < 1_200; i++) {
            script.recharged(account, 1, 1, 1);
        }

        JsonNode page = json(get("/draws"));
        assertThat(page.path("items")).isEmpty();
        assertThat(page.path("next").asString()).isNotEmpty();
        assertThat(walked("/draws", 20)).containsExactly(first.text());
    }

    @Test
    @DisplayName("Recharges are listed with state and price, the newest first, and one by its business number.")
    void recharges() throws UnsupportedEncodingException {
        completed("at-once", PRICED);
        ordered("paid-later", FREE);
        ordered("expired", FREE);
        ordered("waiting", FREE);
        RechargeId expired = RechargeId.of(ANN, number("expired"));
        script.happens(expired, new RechargeClosed(expired, ANN));
        completed("paid-later", FREE);

        assertThat(json(get("/recharges"))
                        .path("items")
                        .valueStream()
                        .map(each -> each.path("outBusinessNo").asString() + " "
                                + each.path("state").asString() + " "
                                + price(each)))
                .containsExactly(
                        number("waiting") + " WAITING none",
                        number("expired") + " CLOSED none",
                        number("paid-later") + " COMPLETED none",
                        number("at-once") + " COMPLETED 2.5");
        assertThat(get("/recharges?outBusinessNo=" + number("expired")))
                .bodyJson()
                .isLenientlyEqualTo("""
                        {"items": [{"rechargeId": "%s", "sku": 1, "outBusinessNo": "%s", "state": "CLOSED",
                          "total": 3, "month": 2, "day": 1, "payBy": "2026-03-31T04:00:00Z"}]}""".formatted(expired.text(), number("expired")));
        assertThat(get("/recharges?outBusinessNo=unknown"))
                .bodyJson()
                .extractingPath("$.items")
                .isEqualTo(List.of());
        assertThat(walked("/recharges", 3)).hasSize(4).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @CsvSource({
        "draws?limit=0,limit",
        "draws?limit=101,limit",
        "draws?cursor=x,cursor",
        "raffle-orders?limit=0,limit",
        "raffle-orders?cursor=MA,cursor",
        "recharges?limit=101,limit",
        "recharges?cursor=x,cursor",
        "recharges?outBusinessNo=,outBusinessNo"
    })
    @DisplayName("A malformed request is refused.")
    void malformed(String path, String subject) {
        assertThat(get("/" + path))
                .hasStatus(HttpStatus.BAD_REQUEST)
                .bodyJson()
                .isLenientlyEqualTo("{'why': 'INVALID', 'subject': '" + subject + "'}");
    }

    @ParameterizedTest
    @CsvSource({"draws", "raffle-orders", "recharges"})
    @DisplayName("A user without an account has empty histories.")
    void nobody(String list) {
        assertThat(get("/" + list))
                .hasStatusOk()
                .bodyJson()
                .extractingPath("$.items")
                .isEqualTo(List.of());
    }

    private static String price(JsonNode recharge) {
        return recharge.hasNonNull("priceCredits")
                ? recharge.path("priceCredits").asString()
                : "none";
    }

    private String number(String name) {
        return name + "-" + activity.value();
    }

    private void ordered(String name, SkuId sku) {
        RechargeId id = RechargeId.of(ANN, number(name));
        script.happens(id, new RechargeOrdered(id, activity, ANN, sku, number(name), BUNDLE, false, NOON, null));
    }

    private void completed(String name, SkuId sku) {
        RechargeId id = RechargeId.of(ANN, number(name));
        script.happens(account, new AccountRecharged(activity, ANN, id, BUNDLE));
        script.happens(id, new RechargeCompleted(id, activity, ANN, sku, number(name), BUNDLE, false, null));
    }

    private RaffleOrderId opened() {
        RaffleOrderId order = script.opened(account, "2026-03-31");
        script.happens(order, new RaffleOrderCreated(order, activity, ANN, NOON));
        return order;
    }

    /** Returns the ids of all items, page by page. */
    private List<String> walked(String path, int limit) throws UnsupportedEncodingException {
        List<String> ids = new ArrayList<>();
        @Nullable String next = null;
        int pages = 0;
        do {
            JsonNode page = json(get(path + "?limit=" + limit + (next == null ? "" : "&cursor=" + next)));
            page.path("items")
                    .valueStream()
                    .map(item -> item.path(item.has("orderId") ? "orderId" : "rechargeId"))
                    .forEach(id -> ids.add(id.asString()));
            assertThat(page.path("items").size()).isLessThanOrEqualTo(limit);
            next = page.hasNonNull("next") ? page.path("next").asString() : null;
            pages++;
        } while (next != null && pages < 100);
        return ids;
    }

    private static JsonNode json(MvcTestResult result) throws UnsupportedEncodingException {
        return JsonMapper.shared().readTree(result.getResponse().getContentAsString());
    }

    private MvcTestResult get(String path) {
        long head = sql.sql("SELECT position FROM event_head").query(Long.class).single();
        return PatientReader.read(
                mvc,
                "/api/v1/activities/" + activity.value() + "/accounts/ann" + path + (path.contains("?") ? "&" : "?")
                        + "after=" + head);
    }
}
