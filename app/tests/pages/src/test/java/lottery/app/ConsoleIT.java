package lottery.app;

import static lottery.app.BrowserPage.awaitHeard;
import static lottery.app.BrowserPage.awaitPage;
import static lottery.app.BrowserPage.click;
import static lottery.app.BrowserPage.find;
import static lottery.app.BrowserPage.listen;
import static lottery.app.BrowserPage.press;
import static lottery.app.BrowserPage.requireNoSideways;
import static lottery.app.BrowserPage.requireSound;
import static lottery.app.BrowserPage.shoot;
import static lottery.app.BrowserPage.text;
import static lottery.app.BrowserPage.type;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import java.util.zip.GZIPOutputStream;
import lottery.app.LotteryProcess.Reply;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.springframework.http.HttpMethod;

/** Tests the page for players in a real Chromium, from the login to the check of a draw, in both languages. */
@DisplayName("The page for players")
class ConsoleIT {

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final long BYTES_MAX = 200_000L;
    private static final String PASSWORD = "correct horse battery";
    private static final int DRAWS_MAX = 5;
    private static final String HOSTILE = "<img src=x onerror=alert(1)>";

    private static final AtomicInteger NUMBERS = new AtomicInteger(780_000);

    private static TokenIssuer issuer;
    private static LotteryProcess lottery;

    @BeforeAll
    static void open() throws Exception {
        issuer = new TokenIssuer();
        Map<String, String> environment = Servers.environmentOfIdentity(issuer);
        environment.put("LOTTERY_LIMITS_ADDRESS_REQUESTS", "0");
        environment.put("LOTTERY_ZONE", TrialActivity.MIDDAY_ZONE);
        lottery = LotteryProcess.open(environment);
        BrowserPage.warmUp(lottery.address().toString(), player(), PASSWORD);
    }

    @AfterAll
    static void close() {
        lottery.close();
        issuer.close();
    }

    private static Reply as(String name, String role, HttpMethod method, String path, @Nullable String body) {
        String token = "Bearer " + issuer.token(name, role);
        Reply reply = new Patience().ask(() -> lottery.ask(method, path, body, "Authorization", token));
        assertThat(reply.status()).as(reply.text()).isBetween(200, 299);
        return reply;
    }

    private static String player() {
        String name = "player-" + NUMBERS.incrementAndGet();
        as("root", "admin", HttpMethod.PUT, "/api/v1/ops/accounts/" + name, """
                {"roles": ["player"], "password": "%s"}""".formatted(PASSWORD));
        return name;
    }

    /**
     * Opens an activity with free chances, in which nearly every first draw wins the bicycle, and each draw something.
     */
    private static int activity(String name) {
        return activity(name, false);
    }

    private static int activity(String name, boolean isQueued) {
        int number = NUMBERS.incrementAndGet();
        as("olga", "operator", HttpMethod.POST, "/api/v1/strategies", """
                {"strategyId": %d, "mode": "OVERALL", "fallback": 4, "awards": [
                  {"awardId": 1, "title": "Tea", "subtitle": "Small", "type": "TEXT", "rate": "0.05", "sort": 1,
                   "config": {"text": "Show this <b>at</b> the door"}},
                  {"awardId": 2, "title": "Bicycle", "type": "PHYSICAL", "rate": "0.9", "sort": 2, "maxPerUser": 1,
                   "config": {"claimDays": "7"}},
                  {"awardId": 3, "title": "Weekend", "type": "TEXT", "rate": "0.0499", "sort": 3, "lockedUntilDraws": 3,
                   "config": {"text": "Show this <b>at</b> the door"}},
                  {"awardId": 4, "title": "Sticker", "type": "TEXT", "rate": "0.0001", "sort": 4,
                   "config": {"text": "Show this <b>at</b> the door"}}]}""".formatted(number));
        as("olga", "operator", HttpMethod.POST, "/api/v1/activities", """
                {"activityId": %d, "name": "%s", "beginsAt": "2020-01-01T00:00:00+08:00",
                 "endsAt": "2120-01-01T00:00:00+08:00", "zone": "%s", "strategyId": %d, "queued": %b,
                 "free": {"total": 20, "month": 20, "day": 20},
                 "skus": [{"sku": 1, "title": "Two more", "total": 2, "month": 2, "day": 2, "priceCredits": "20"},
                          {"sku": 2, "title": "One more", "total": 1, "month": 1, "day": 1}]}""".formatted(
                        number, name, TrialActivity.MIDDAY_ZONE, number, isQueued));
        start(number);
        return number;
    }

    private static void start(int activity) {
        String transitions = "/api/v1/activities/" + activity + "/transitions";
        as("olga", "operator", HttpMethod.POST, transitions, "{\"action\": \"submit\"}");
        as("paul", "approver", HttpMethod.POST, transitions, "{\"action\": \"pass\"}");
        await().atMost(SOON)
                .until(() -> lottery.get("/api/v1/activities/" + activity)
                        .json()
                        .path("state")
                        .asString()
                        .equals("DOING"));
    }

    private static void logIn(ChromeDriver page, String name) {
        type(page, "input[name=name]", name);
        type(page, "input[name=password]", PASSWORD);
        click(page, "form.password button", "");
        find(page, ".who", name);
    }

    private static void open(ChromeDriver page, int activity) {
        page.get(lottery.address() + "/#/activities/" + activity);
    }

    @Test
    @DisplayName("A player logs in, draws, wins, gives an address, and checks a draw")
    void inEnglish() throws Exception {
        String ann = player();
        int activity = activity("Spring draw");
        ChromeDriver page = BrowserPage.open("en-US");
        try {
            page.get(lottery.address() + "/");
            find(page, "h2", "Log in");
            find(page, ".cards h3", "Spring draw");
            assertThat(page.findElements(By.cssSelector(".demo"))).isEmpty();
            shoot(page, "login");
            requireSound(page);
            logIn(page, ann);
            open(page, activity);
            find(page, ".chances", "20 chances left");
            find(page, ".awards", "3 more draws today unlock it");
            shoot(page, "activity");
            requireSound(page);

            listen(page, ".outcome");
            click(page, ".draw", "Draw");
            awaitHeard(page, "The wheel is turning");
            shoot(page, "turning");
            find(page, ".result.won", "");
            find(page, ".chances", "19 chances left");
            shoot(page, "won");
            click(page, ".draw-many", "Draw 10 at once");
            find(page, ".result.many", "10 draws");
            find(page, ".chances", "9 chances left");
            find(page, ".winners", "***");
            find(page, ".awards", "you have it: once is the most");
            assertThat(page.findElements(By.cssSelector(".awards .condition")))
                    .noneMatch(condition -> condition.getText().contains("unlock"));
            shoot(page, "ten");
            requireSound(page);

            showAllAwards(page);
            click(page, ".mine .primary", "Give your address");
            type(page, "dialog input[name=name]", "Ann");
            type(page, "dialog input[name=phone]", "+49 30 1234567");
            type(page, "dialog input[name=address]", "1 High Street");
            shoot(page, "claim");
            requireSound(page);
            click(page, "dialog .primary", "Send");
            find(page, "dialog h2", "Thank you");
            click(page, "dialog button", "Close");
            // All but the bicycle have this text.
            click(page, ".mine button.text", "Read");
            find(page, "dialog .said", "Show this <b>at</b> the door");
            requireSound(page);
            click(page, "dialog button", "Close");
            handOver(ann, activity);
            awaitPage().until(() -> {
                page.navigate().refresh();
                showAllAwards(page);
                return text(page, ".mine li", "Bicycle").contains("yours");
            });

            click(page, ".mine .check", "");
            assertThat(text(page, "dialog .steps", "The rules"))
                    .contains("not yet")
                    .doesNotContain("DOES NOT AGREE");
            shoot(page, "check-while-secret");
            press(page, "dialog h2", "", Keys.ESCAPE);
            publishSeed(activity);
            click(page, ".mine .check", "");
            String steps = text(page, "dialog .steps", "The rules");
            assertThat(steps).doesNotContain("not yet", "DOES NOT AGREE");
            assertThat(page.findElements(By.cssSelector(".steps > .agrees"))).hasSize(4);
            shoot(page, "check");
            requireSound(page);
        } finally {
            page.quit();
        }
    }

    private static void showAllAwards(ChromeDriver page) {
        find(page, ".mine li", "");
        awaitPage().until(() -> {
            List<WebElement> more = page.findElements(By.cssSelector("section[aria-labelledby=mine] > button"));
            more.forEach(WebElement::click);
            return more.isEmpty();
        });
    }

    /** Answers as the system does that sends bicycles. */
    private static void handOver(String player, int activity) {
        String wins = "/api/v1/activities/%d/accounts/%s/awards?limit=100".formatted(activity, player);
        String record = StreamSupport.stream(
                        as("shop", "front", HttpMethod.GET, wins, null)
                                .json()
                                .path("items")
                                .spliterator(),
                        false)
                .filter(win -> win.at("/award/type").asString().equals("PHYSICAL"))
                .map(win -> win.path("awardRecordId").asString())
                .findFirst()
                .orElseThrow();
        String answers = "/api/v1/award-records/%s/fulfilments".formatted(record);
        as("parcels", "fulfilment", HttpMethod.POST, answers, """
                {"result": "GRANTED", "reference": "parcel"}""");
    }

    private static void publishSeed(int activity) {
        as("olga", "operator", HttpMethod.POST, "/api/v1/activities/" + activity + "/transitions", """
                {"action": "close"}""");
        await().atMost(Duration.ofSeconds(60))
                .until(() -> lottery.get("/api/v1/activities/" + activity + "/odds")
                        .text()
                        .contains("\"seed\""));
    }

    @Test
    @DisplayName("A page in Chinese fits a phone, works by keyboard, and shows hostile names as text")
    void inChinese() throws Exception {
        String ben = player();
        int activity = activity(HOSTILE);
        ChromeDriver page = BrowserPage.open("zh-CN");
        try {
            BrowserPage.asDarkPhone(page);
            open(page, activity);
            find(page, "h1", HOSTILE);
            logIn(page, ben);
            find(page, ".chances", "剩余 20 次");
            requireNoSideways(page);
            press(page, ".draw", "抽奖", Keys.ENTER);
            find(page, ".result.won", "验证这次抽奖");
            requireNoSideways(page);
            shoot(page, "phone");
            press(page, ".result button", "验证这次抽奖", Keys.ENTER);
            find(page, "dialog .steps", "承诺");
            requireNoSideways(page);
            shoot(page, "phone-check");
            requireSound(page);
            press(page, "dialog h2", "", Keys.ESCAPE);
            assertThat(page.findElements(By.tagName("img"))).isEmpty();
            click(page, "header button", "English");
            find(page, ".draw", "Draw");
            requireSound(page);
            // No text becomes code, not even one that a script of the page would write.
            assertThat(page.executeScript("""
                            const script = document.createElement('script');
                            try { script.textContent = 'window.injected = true'; } catch { return 'refused'; }
                            document.body.append(script);
                            return window.injected;""")).isEqualTo("refused");
        } finally {
            page.quit();
        }
    }

    @Tag("trial")
    @Tag("turn-1")
    @Test
    @DisplayName("Lost answers, many clicks and an ended session cost one chance for each draw that was meant")
    void once() throws Exception {
        String cai = player();
        int activity = activity("Stormy draw");
        ChromeDriver page = BrowserPage.open("en-US");
        try {
            open(page, activity);
            find(page, "h1", "Stormy draw");
            logIn(page, cai);
            find(page, ".chances", "20 chances left");
            page.executeScript("""
                    const real = fetch;
                    let lost = 0;
                    window.fetch = async (path, ...more) => {
                        const answer = await real(path, ...more);
                        if (path.endsWith('/draws') && lost++ < 5) throw new TypeError('lost');
                        return answer;
                    };
                    for (let i = 0; i < 5; i++) document.querySelector('.draw').click();""");
            find(page, ".message", "Trying again does not cost a second chance");
            find(page, ".chances", "19 chances left");
            shoot(page, "no-answer");
            click(page, ".message button", "Try again");
            find(page, ".result.won", "");
            find(page, ".chances", "19 chances left");
            requireSound(page);

            page.manage().deleteAllCookies();
            click(page, ".draw", "Draw");
            find(page, ".message", "Your session has ended");
            shoot(page, "session-ended");
            logIn(page, cai);
            click(page, ".message button", "Try again");
            find(page, ".result.won", "");
            find(page, ".chances", "18 chances left");
            requireSound(page, "status of 401");

            as("shop", "front", HttpMethod.POST, "/api/v1/users/" + cai + "/credits/entries", """
                    {"amount": "25", "businessNo": "gift-%s", "reason": "Welcome"}""".formatted(cai));
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(
                                    as("shop", "front", HttpMethod.GET, "/api/v1/users/" + cai + "/credits", null)
                                            .json()
                                            .path("balance")
                                            .asString())
                            .isEqualTo("25"));
            page.navigate().refresh();
            find(page, ".offers", "You have 25 credits");
            page.executeScript("for (let i = 0; i < 3; i++) document.querySelector('.buy').click();");
            find(page, ".offers", "You have 5 credits");
            shoot(page, "bought");
            find(page, ".chances", "20 chances left");
            assertThat(page.findElement(By.cssSelector(".buy")).isEnabled()).isFalse();
            requireSound(page);
        } finally {
            page.quit();
        }
    }

    @Tag("trial")
    @Tag("turn-2")
    @Test
    @DisplayName(
            "On a slow network it says what it waits for, goes on after the network was away, and beside another tab")
    void slowly() throws Exception {
        String dan = player();
        int activity = activity("Slow draw");
        ChromeDriver page = BrowserPage.open("en-US");
        try {
            BrowserPage.onSlowNetwork(page);
            long begunNanos = System.nanoTime();
            open(page, activity);
            find(page, "h1", "Slow draw");
            System.out.printf("page: shown after %.1f s on a slow network%n", (System.nanoTime() - begunNanos) / 1e9);
            logIn(page, dan);
            find(page, ".chances", "20 chances left");
            listen(page, ".outcome");
            click(page, ".draw", "Draw");
            awaitHeard(page, "The wheel is turning");
            find(page, ".result.won", "");
            find(page, ".chances", "19 chances left");
            requireSound(page);

            BrowserPage.onNoNetwork(page);
            click(page, ".draw", "Draw");
            find(page, ".message", "Trying again does not cost a second chance");
            shoot(page, "no-network");
            BrowserPage.onSlowNetwork(page);
            click(page, ".message button", "Try again");
            find(page, ".result.won", "");
            find(page, ".chances", "18 chances left");
            requireSound(page, "ERR_INTERNET_DISCONNECTED");

            String first = page.getWindowHandle();
            BrowserPage.openTab(page);
            open(page, activity);
            find(page, ".chances", "18 chances left");
            click(page, ".draw", "Draw");
            find(page, ".chances", "17 chances left");
            page.switchTo().window(first);
            click(page, ".draw", "Draw");
            find(page, ".chances", "16 chances left");
        } finally {
            page.quit();
        }
    }

    @Test
    @DisplayName("A draw that waits in the queue is shown when it is made")
    void queued() throws Exception {
        String eve = player();
        int activity = activity("Crowded draw", true);
        ChromeDriver page = BrowserPage.open("en-US");
        try {
            open(page, activity);
            find(page, "h1", "Crowded draw");
            logIn(page, eve);
            find(page, ".chances", "20 chances left");
            awaitQueue(activity);
            page.executeScript("""
                    const real = fetch;
                    window.fetch = async (path, ...more) => {
                        // Another node may not have read the newest requests yet.
                        if (path.includes('/raffle-orders/') && window.missing++ < 1) {
                            return new Response('{"code": "NOT_FOUND", "detail": "not here"}', {status: 404});
                        }
                        const answer = await real(path, ...more);
                        if (path.endsWith('/draws')) window.statuses.push(answer.status);
                        return answer;
                    };""");
            int draws = 0;
            String statuses;
            do {
                page.executeScript("window.missing = 0; window.statuses = [];");
                click(page, ".draw", "Draw");
                find(page, ".result.won", "");
                draws++;
                find(page, ".chances", "%d chances left".formatted(20 - draws));
                statuses = String.valueOf(page.executeScript("return window.statuses.join()"));
                // A draw that was accepted too slowly may be made before the page asks for it again.
            } while (statuses.contains("503") && draws < DRAWS_MAX);
            assertThat(statuses).as("it has waited").startsWith("202").endsWith("200");
            requireSound(page);
        } finally {
            page.quit();
        }
    }

    /** A process reaches the queue soon after it is ready. */
    private static void awaitQueue(int activity) {
        String draws = "/api/v1/activities/%d/accounts/early-%d/draws".formatted(activity, activity);
        String token = "Bearer " + issuer.token("shop", "front");
        await().atMost(SOON)
                .until(() ->
                        lottery.ask(HttpMethod.POST, draws, null, "Authorization", token, "Idempotency-Key", "early")
                                        .status()
                                != 503);
    }

    @Tag("trial")
    @Tag("turn-1")
    @Test
    @DisplayName(
            "A player enters an activity that is drawn at one time, sees the time left and the result, and checks it")
    void drawnAtOneTime() throws Exception {
        String fay = player();
        ChromeDriver page = BrowserPage.open("en-US");
        try {
            BrowserPage.asDarkPhone(page);
            page.get(lottery.address() + "/");
            logIn(page, fay);
            ScheduledPool pool = shownPool(page);
            int activity = pool.activity();
            find(page, ".countdown", "Entries close in");
            find(page, ".awards", "2 to win");
            click(page, ".enter", "Enter the draw");
            find(page, ".entries li", "Entry no. 1");
            find(page, ".chances", "2 chances left");
            loseAnswers(page);
            click(page, ".enter", "Enter the draw");
            find(page, ".entries li", "Entry no. 2");
            find(page, ".chances", "1 chance left");
            assertThat(page.findElements(By.cssSelector(".message"))).isEmpty();
            requireNoSideways(page);
            requireSound(page);
            shoot(page, "entered");

            Duration drawnWithin = pool.drawnWithin();
            find(page, ".pool-state", "The draw was made", drawnWithin);
            // Two units, and two entries: both have won.
            find(page, ".entries li.won", "Entry no. 1", drawnWithin);
            find(page, ".entries li.won", "Entry no. 2", drawnWithin);
            find(page, ".winners", "Dinner");
            click(page, ".entries .check", "");
            assertThat(text(page, "dialog .steps", "The lot"))
                    .contains("not yet")
                    .doesNotContain("DOES NOT AGREE");
            press(page, "dialog h2", "", Keys.ESCAPE);
            publishSeed(activity);
            click(page, ".mine .check", "");
            String steps = text(page, "dialog .steps", "The lot");
            assertThat(steps).doesNotContain("not yet", "DOES NOT AGREE");
            assertThat(page.findElements(By.cssSelector(".steps > .agrees"))).hasSize(4);
            requireNoSideways(page);
            requireSound(page);
            shoot(page, "pool-check");
            press(page, "dialog h2", "", Keys.ESCAPE);
            click(page, "header button", "中文");
            find(page, ".entries li", "中奖");
            requireSound(page);
        } finally {
            page.quit();
        }
    }

    /** An activity that is drawn at one time. */
    private record ScheduledPool(int activity, Instant entriesCloseAt) {

        Instant drawAt() {
            return entriesCloseAt.plusSeconds(5);
        }

        /**
         * A busy machine may make the draw half a minute later. The page looks less and less often while it waits for
         * that.
         */
        Duration drawnWithin() {
            return Duration.between(Instant.now(), drawAt()).plusMinutes(3);
        }
    }

    /** Opens a pool, and returns when the page shows it and at least half of the time for entries is left. */
    private static ScheduledPool shownPool(ChromeDriver page) {
        for (int seconds = 25; seconds <= 400; seconds *= 2) {
            String name = "Evening draw of %d seconds".formatted(seconds);
            Instant closeAt = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(seconds);
            ScheduledPool pool = new ScheduledPool(NUMBERS.incrementAndGet(), closeAt);
            define(pool, name);
            open(page, pool.activity());
            page.navigate().refresh();
            find(page, "h1", name);
            if (Instant.now().isBefore(closeAt.minusSeconds(seconds / 2))) {
                return pool;
            }
        }
        throw new AssertionError("this machine is too slow to enter a pool");
    }

    /** Opens an activity with three free chances, in which two entries win. */
    private static void define(ScheduledPool pool, String name) {
        int number = pool.activity();
        as("olga", "operator", HttpMethod.POST, "/api/v1/strategies", """
                {"strategyId": %d, "mode": "SINGLE", "awards": [
                  {"awardId": 1, "title": "Dinner", "type": "TEXT", "rate": "0.1", "sort": 1, "stock": 2,
                   "config": {"text": "For two"}}]}""".formatted(number));
        as("olga", "operator", HttpMethod.POST, "/api/v1/activities", """
                {"activityId": %d, "name": "%s", "beginsAt": "2020-01-01T00:00:00+08:00",
                 "endsAt": "2120-01-01T00:00:00+08:00", "strategyId": %d, "free": {"total": 3, "month": 3, "day": 3},
                 "draw": {"mode": "SCHEDULED", "entriesCloseAt": "%s", "drawAt": "%s"}}""".formatted(
                        number, name, number, pool.entriesCloseAt(), pool.drawAt()));
        start(number);
    }

    /** Loses the first answer to an entry on its way to the page. */
    private static void loseAnswers(ChromeDriver page) {
        page.executeScript("""
                const real = fetch;
                let lost = 0;
                window.fetch = async (path, ...more) => {
                    const answer = await real(path, ...more);
                    if (path.endsWith('/entries') && lost++ < 1) throw new TypeError('lost');
                    return answer;
                };""");
    }

    @Test
    @DisplayName("A sign-in marks the day in the calendar, and earns a draw")
    void signIn() throws Exception {
        String dan = player();
        int activity = activity("Daily draw");
        ChromeDriver page = BrowserPage.open("en-US");
        try {
            payForSignIns(activity, "OPEN");
            open(page, activity);
            find(page, ".earning li", "Sign in");
            logIn(page, dan);
            find(page, ".chances", "20 chances left");
            find(page, ".sign-in", "0 days in a row");
            awaitLastLook(page);
            click(page, ".sign-in button", "Sign in today");
            find(page, ".sign-in", "1 day in a row");
            find(page, ".calendar .signed.today", "");
            String account = "/api/v1/activities/%d/accounts/%s".formatted(activity, dan);
            await("the rebate")
                    .atMost(SOON)
                    .until(() -> as("shop", "front", HttpMethod.GET, account, null)
                                    .json()
                                    .at("/total/left")
                                    .asInt()
                            == 21);
            page.executeScript("window.look();");
            find(page, ".chances", "21 chances left");
            assertThat(page.findElement(By.cssSelector(".sign-in button")).isEnabled())
                    .isFalse();
            shoot(page, "signed-in");
            requireSound(page);
        } finally {
            page.quit();
            payForSignIns(activity, "CLOSED");
        }
    }

    /**
     * Lets the page look for a rebate the last time when the test says so, and not after four seconds. On a busy
     * machine the rebate may come later than that.
     */
    private static void awaitLastLook(ChromeDriver page) {
        page.executeScript("""
                const real = setTimeout;
                window.setTimeout = (work, millis) => {
                    if (millis !== 4_000) return real(work, millis);
                    window.look = work;
                };""");
    }

    private static void payForSignIns(int activity, String state) {
        String rule = "/api/v1/rebate-rules/" + activity;
        Reply defined = as("olga", "operator", HttpMethod.PUT, rule, """
                {"behaviour": "sign", "state": "%s",
                 "rebates": [{"kind": "SKU", "activityId": %d, "sku": 2}]}""".formatted(state, activity));
        if (state.equals("OPEN")) {
            String proposal =
                    "/api/v1/ops/proposals/" + defined.json().path("proposalId").asString();
            as("paul", "approver", HttpMethod.POST, proposal + "/decision", "{\"decision\": \"AGREE\"}");
        }
    }

    @Test
    @DisplayName("Its files are small, kept for long, and run nothing from elsewhere")
    void files() throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpResponse<String> home = get(http, "/");
            assertThat(home.headers().firstValue("Content-Security-Policy").orElseThrow())
                    .contains("default-src 'none'", "frame-ancestors 'none'")
                    .doesNotContain("unsafe");
            assertThat(home.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
            assertThat(home.headers().firstValue("Referrer-Policy")).contains("no-referrer");
            assertThat(home.headers().firstValue("Cache-Control")).contains("no-cache, private");
            String folder = Pattern.compile("/pages/[0-9a-f]{16}/")
                    .matcher(home.body())
                    .results()
                    .findFirst()
                    .orElseThrow()
                    .group();
            long bytes = zipped(home.body());
            for (String address : addressesIn(home.body())) {
                HttpResponse<String> reply = get(http, address);
                assertThat(reply.statusCode()).as(address).isEqualTo(200);
                assertThat(reply.headers().firstValue("Cache-Control").orElseThrow())
                        .contains("immutable");
                bytes += zipped(reply.body());
            }
            System.out.printf("The page for players has %,d bytes, compressed.%n", bytes);
            assertThat(bytes).isBetween(1_000L, BYTES_MAX);
            assertThat(get(http, "/pages/0000000000000000/app.js").statusCode()).isEqualTo(404);
            assertThat(get(http, folder + "ConsoleConfiguration.class").statusCode())
                    .isEqualTo(404);
            assertThat(get(http, folder + "../application.yaml").statusCode()).isNotEqualTo(200);
        }
    }

    private static List<String> addressesIn(String home) {
        List<String> addresses = Pattern.compile("(?:href|src)=\"([^\"]+)\"")
                .matcher(home)
                .results()
                .map(found -> found.group(1))
                .toList();
        // Each module is named by the page, so that none is found only when another one has come.
        assertThat(addresses).hasSize(24);
        return addresses;
    }

    private static HttpResponse<String> get(HttpClient http, String path) throws Exception {
        return http.send(
                HttpRequest.newBuilder(URI.create(lottery.address() + path))
                        .timeout(SOON)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static long zipped(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream zip = new GZIPOutputStream(bytes)) {
            zip.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.size();
    }
}
