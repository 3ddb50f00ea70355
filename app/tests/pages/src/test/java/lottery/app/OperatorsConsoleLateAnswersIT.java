package lottery.app;

import static lottery.app.BrowserPage.awaitPage;
import static lottery.app.BrowserPage.click;
import static lottery.app.BrowserPage.find;
import static lottery.app.BrowserPage.text;
import static lottery.app.BrowserPage.type;
import static lottery.app.OperatorsLottery.as;
import static lottery.app.OperatorsLottery.awaitRunning;
import static lottery.app.OperatorsLottery.go;
import static lottery.app.OperatorsLottery.logIn;
import static lottery.app.OperatorsLottery.lottery;
import static lottery.app.OperatorsLottery.management;
import static lottery.app.OperatorsLottery.nextNumber;
import static lottery.app.OperatorsLottery.person;
import static lottery.app.OperatorsLottery.token;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import lottery.app.LotteryProcess.Reply;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.chrome.ChromeDriver;
import org.springframework.http.HttpMethod;

/** Tests what both pages do with answers that are lost, cut off, or so late that somebody else looks at the page. */
@Tag("trial")
@Tag("turn-3")
@DisplayName("Late and lost answers on the pages")
class OperatorsConsoleLateAnswersIT {

    private static final int LISTED_MAX = 100;

    /** In this time a page has certainly shown an answer that has come. */
    private static final int SHOWN_MILLIS = 1_000;

    @BeforeAll
    static void open() throws Exception {
        OperatorsLottery.open();
    }

    /** Opens an activity with twenty free chances, in which each draw wins. */
    private static int activity(String name) {
        return activity(name, "");
    }

    private static int activity(String name, String more) {
        int number = nextNumber();
        as("olga", "operator", HttpMethod.POST, "/api/v1/strategies", """
                {"strategyId": %d, "mode": "SINGLE", "awards": [
                  {"awardId": 1, "title": "Tea", "type": "TEXT", "rate": "0.5", "sort": 1, "stock": 50,
                   "config": {"text": "Drink"}},
                  {"awardId": 2, "title": "Bicycle", "type": "TEXT", "rate": "0.5", "sort": 2, "stock": 50,
                   "config": {"text": "Ride"}}]}""".formatted(number));
        as("olga", "operator", HttpMethod.POST, "/api/v1/activities", """
                {"activityId": %d, "name": "%s", "beginsAt": "2020-01-01T00:00:00+08:00",
                 "endsAt": "2120-01-01T00:00:00+08:00", "strategyId": %d,
                 "free": {"total": 20, "month": 20, "day": 20}%s}""".formatted(number, name, number, more));
        String transitions = "/api/v1/activities/" + number + "/transitions";
        as("olga", "operator", HttpMethod.POST, transitions, "{\"action\": \"submit\"}");
        as("paul", "approver", HttpMethod.POST, transitions, "{\"action\": \"pass\"}");
        awaitRunning(number);
        return number;
    }

    private static void open(ChromeDriver page, int activity, String name) {
        page.get(lottery().address() + "/#/activities/" + activity);
        find(page, "h1", name);
    }

    private static void logOut(ChromeDriver page) {
        click(page, "header button", "Log out");
        find(page, "form.password", "");
    }

    private static void awaitIn(ChromeDriver page, String condition) {
        awaitPage().until(() -> Boolean.TRUE.equals(page.executeScript("return " + condition)));
    }

    @Test
    @DisplayName("A draw whose answer is lost is not sent for the player who has logged in since")
    void lostDraw() throws Exception {
        notForOthers("""
                const real = fetch;
                const released = new Promise(done => { window.release = done; });
                window.sent = [];
                window.fetch = async (path, ...more) => {
                    if (path.endsWith('/draws') && window.sent.push(path) === 1) {
                        window.isHeld = true;
                        await released;
                        throw new TypeError('lost');
                    }
                    return real(path, ...more);
                };""");
    }

    @Test
    @DisplayName("A draw that waits in the queue is not sent for the player who has logged in since")
    void queuedDraw() throws Exception {
        notForOthers("""
                const real = fetch;
                const released = new Promise(done => { window.release = done; });
                window.sent = [];
                window.fetch = async (path, ...more) => {
                    if (path.endsWith('/draws') && window.sent.push(path) === 1) {
                        return new Response('{"orderId": "order:1-0", "state": "QUEUED", "position": 1}', {status: 202});
                    }
                    if (path.includes('/raffle-orders/')) {
                        window.isHeld = true;
                        await released;
                        return new Response('{"code": "NOT_FOUND", "detail": "not yours"}', {status: 404});
                    }
                    return real(path, ...more);
                };""");
    }

    private static void notForOthers(String holdingScript) throws Exception {
        String ann = person("player");
        String ben = person("player");
        int activity = activity("Shared screen");
        ChromeDriver page = BrowserPage.open("en-US");
        try {
            open(page, activity, "Shared screen");
            logIn(page, ann);
            find(page, ".chances", "20 chances left");
            page.executeScript(holdingScript);
            click(page, ".draw", "Draw");
            awaitIn(page, "window.isHeld");
            logOut(page);
            logIn(page, ben);
            find(page, ".chances", "20 chances left");
            page.executeScript("window.release()");
            find(page, ".draw", "Draw");
            assertThat(page.executeScript("return window.sent"))
                    .isEqualTo(List.of("/api/v1/activities/%d/accounts/%s/draws".formatted(activity, ann)));
            assertThat(page.findElements(By.cssSelector(".message"))).isEmpty();
            find(page, ".chances", "20 chances left");

            logOut(page);
            logIn(page, ann);
            find(page, ".message", "Trying again does not cost a second chance");
            click(page, ".message button", "Try again");
            find(page, ".result", "");
            find(page, ".chances", "19 chances left");
        } finally {
            page.quit();
        }
    }

    @Test
    @DisplayName("A late answer about one player is not shown to the player who has logged in since")
    void lateLists() throws Exception {
        String ann = person("player");
        String ben = person("player");
        int activity = activity("Late lists");
        String account = "/api/v1/activities/%d/accounts/%s".formatted(activity, ann);
        as("shop", "front", HttpMethod.POST, account + "/draws", "{}");
        awaitPage()
                .until(() -> as("shop", "front", HttpMethod.GET, account, null)
                                        .json()
                                        .at("/total/left")
                                        .asInt()
                                == 19
                        && !as("shop", "front", HttpMethod.GET, account + "/awards", null)
                                .json()
                                .path("items")
                                .isEmpty());
        ChromeDriver page = BrowserPage.open("en-US");
        try {
            open(page, activity, "Late lists");
            page.executeScript("""
                    const real = fetch;
                    const released = new Promise(done => { window.release = done; });
                    window.fetch = async (path, ...more) => {
                        const answer = await real(path, ...more);
                        if (path.includes(arguments[0])) {
                            window.isHeld = true;
                            await released;
                        }
                        return answer;
                    };""", "/accounts/" + ann + "/awards");
            logIn(page, ann);
            awaitIn(page, "window.isHeld");
            logOut(page);
            logIn(page, ben);
            find(page, ".chances", "20 chances left");
            page.executeScript("window.release()");
            Thread.sleep(SHOWN_MILLIS);
            assertThat(text(page, ".chances", "chances left")).contains("20 chances left");
            assertThat(page.findElements(By.cssSelector(".mine li"))).isEmpty();
        } finally {
            page.quit();
        }
    }

    @Test
    @DisplayName("A read model that is too late for the page's own draw is shown as it is")
    void lateReadModel() throws Exception {
        String dan = person("player");
        int activity = activity("Late read model");
        ChromeDriver page = BrowserPage.open("en-US");
        try {
            open(page, activity, "Late read model");
            logIn(page, dan);
            find(page, ".chances", "20 chances left");
            page.executeScript("""
                    const real = fetch;
                    window.fetch = async (path, ...more) => {
                        if (path.includes('after=')) {
                            return new Response('{"code": "NOT_READY", "detail": "later"}', {status: 503});
                        }
                        const answer = await real(path, ...more);
                        if (!path.endsWith(arguments[0])) return answer;
                        const chances = await answer.json();
                        chances.total.left = 7;
                        return new Response(JSON.stringify(chances), {status: 200});
                    };""", "/accounts/" + dan);
            click(page, ".draw", "Draw");
            find(page, ".result", "");
            find(page, ".chances", "7 chances left");
            assertThat(page.findElements(By.cssSelector(".message"))).isEmpty();
        } finally {
            page.quit();
        }
    }

    @Test
    @DisplayName("A draw without an answer is asked for again in its own activity only, and only until it has one")
    void freeRetry() throws Exception {
        String cai = person("player");
        int stormy = activity("Stormy");
        int calm = activity("Calm");
        ChromeDriver page = BrowserPage.open("en-US");
        try {
            open(page, stormy, "Stormy");
            logIn(page, cai);
            find(page, ".chances", "20 chances left");
            page.executeScript("""
                    const real = fetch;
                    window.fetch = async (path, ...more) => {
                        if (path.endsWith('/draws') && !window.isBack) throw new TypeError('lost');
                        return real(path, ...more);
                    };""");
            click(page, ".draw", "Draw");
            go(page, "#/activities/" + calm);
            find(page, "h1", "Calm");
            // The last of five requests has failed.
            find(page, ".draw", "Draw");
            assertThat(page.findElements(By.cssSelector(".message"))).isEmpty();
            go(page, "#/activities/" + stormy);
            find(page, ".message", "Trying again does not cost a second chance");

            String first = page.getWindowHandle();
            BrowserPage.openTab(page);
            open(page, stormy, "Stormy");
            click(page, ".message button", "Try again");
            find(page, ".result", "");
            find(page, ".chances", "19 chances left");
            page.switchTo().window(first);
            page.executeScript("window.isBack = true");
            click(page, ".message button", "Try again");
            find(page, ".draw", "Draw");
            find(page, ".chances", "19 chances left");
            go(page, "#/activities/" + calm);
            find(page, "h1", "Calm");
            find(page, ".chances", "20 chances left");
        } finally {
            page.quit();
        }
    }

    @Test
    @DisplayName("The page shows the activity of its address, even if an earlier one comes later")
    void lateActivity() throws Exception {
        int slow = activity("Slow");
        int fast = activity("Fast");
        ChromeDriver page = BrowserPage.open("en-US");
        try {
            open(page, fast, "Fast");
            page.executeScript("""
                    const real = fetch;
                    const released = new Promise(done => { window.release = done; });
                    window.fetch = async (path, ...more) => {
                        const answer = await real(path, ...more);
                        if (path === arguments[0]) {
                            window.isHeld = true;
                            await released;
                        }
                        return answer;
                    };""", "/api/v1/activities/" + slow);
            go(page, "#/activities/" + slow);
            awaitIn(page, "window.isHeld");
            go(page, "#/activities/" + fast);
            find(page, "h1", "Fast");
            page.executeScript("window.release()");
            Thread.sleep(SHOWN_MILLIS);
            assertThat(find(page, "h1", "").getText()).isEqualTo("Fast");
        } finally {
            page.quit();
        }
    }

    @Test
    @DisplayName("Players see a running activity, however many drafts are newer")
    void runningActivity() throws Exception {
        int running = activity("Long running");
        for (int i = 0; i < LISTED_MAX; i++) {
            int number = nextNumber();
            as("olga", "operator", HttpMethod.POST, "/api/v1/activities", """
                    {"activityId": %d, "name": "Draft %d", "beginsAt": "2020-01-01T00:00:00+08:00",
                     "endsAt": "2120-01-01T00:00:00+08:00", "strategyId": %d,
                     "free": {"total": 1, "month": 1, "day": 1}}""".formatted(number, number, running));
        }
        ChromeDriver page = BrowserPage.open("en-US");
        try {
            page.get(lottery().address() + "/");
            find(page, ".cards h3", "Long running");
            assertThat(text(page, ".cards", "")).doesNotContain("Draft");
        } finally {
            page.quit();
        }
    }

    @Test
    @DisplayName("A verification or a simulation that was cut off is not shown as if nothing had happened")
    void cutOff() throws Exception {
        String ada = person("auditor", "operator");
        int activity = activity("Cut off");
        ChromeDriver page = BrowserPage.open("en-US");
        try {
            page.get(management() + "/console");
            logIn(page, ada);
            page.executeScript("""
                    const real = fetch;
                    window.fetch = async (path, ...more) => path.endsWith('/verifications') || path.endsWith('/simulations')
                        ? new Response('event: progress\\ndata: {}\\n\\n', {headers: {'Content-Type': 'text/event-stream'}})
                        : real(path, ...more);""");
            go(page, "#/activities/" + activity);
            click(page, "section[aria-labelledby=verification] button", "Verify all draws");
            find(page, ".message", "The lottery does not answer");
            go(page, "#/strategies/%d/simulation".formatted(activity));
            find(page, "h1", "Simulation of strategy " + activity);
            assertThat(page.findElements(By.cssSelector(".message"))).isEmpty();
            click(page, "form button", "Simulate");
            find(page, ".message", "The lottery does not answer");
        } finally {
            page.quit();
        }
    }

    @Test
    @DisplayName("The page for operators takes up its session after a restart of the browser")
    void restart() throws Exception {
        String olga = person("operator");
        ChromeDriver page = BrowserPage.open("en-US");
        try {
            page.get(management() + "/console");
            logIn(page, olga);
            // This cookie ends with the browser, and the cookie of the session does not.
            page.manage().deleteCookieNamed("XSRF-TOKEN");
            page.navigate().refresh();
            find(page, ".who", olga);
            click(page, ".self button", "Log out");
            find(page, "form.password", "");
            page.navigate().refresh();
            find(page, "form.password", "");
        } finally {
            page.quit();
        }
    }

    @Test
    @DisplayName("An operator holds awards of the version that draws follow, and none of a pool")
    void held() throws Exception {
        String olga = person("operator");
        int activity = activity("Revised");
        int pool = activity("Drawn later", """
                , "draw": {"mode": "SCHEDULED", "entriesCloseAt": "2100-01-01T00:00:00Z", "drawAt": "2100-01-01T00:01:00Z"}""");
        revise(activity);
        ChromeDriver page = BrowserPage.open("en-US");
        try {
            page.get(management() + "/console");
            logIn(page, olga);
            go(page, "#/activities/" + activity);
            find(page, ".differences", "Tandem");
            String awards = "section[aria-labelledby=awards]";
            find(page, awards, "Awards (version 1)");
            click(page, awards + " button[aria-label='Hold: Bicycle']", "Hold");
            type(page, "dialog input[name=reason]", "Flat tyres");
            click(page, "dialog button", "Hold");
            find(page, awards + " .tag", "held");
            assertThat(text(page, awards, "Bicycle")).doesNotContain("Tandem");

            go(page, "#/activities/" + pool);
            find(page, "h1", "Drawn later");
            find(page, awards, "Bicycle");
            assertThat(page.findElements(By.cssSelector(awards + " button"))).isEmpty();
        } finally {
            page.quit();
        }
    }

    /** Makes a second version of the strategy, in which another award has the place of the bicycle. */
    private static void revise(int strategy) {
        Reply revised = lottery()
                .ask(
                        HttpMethod.PUT,
                        "/api/v1/strategies/" + strategy,
                        """
                        {"mode": "SINGLE", "awards": [
                          {"awardId": 1, "title": "Tea", "type": "TEXT", "rate": "0.5", "sort": 1, "stock": 50,
                           "config": {"text": "Drink"}},
                          {"awardId": 3, "title": "Tandem", "type": "TEXT", "rate": "0.5", "sort": 2, "stock": 50,
                           "config": {"text": "Ride"}}]}""",
                        "Authorization",
                        "Bearer " + token("olga", "operator"),
                        "If-Match",
                        "1");
        assertThat(revised.status()).as(revised.text()).isBetween(200, 299);
    }
}
