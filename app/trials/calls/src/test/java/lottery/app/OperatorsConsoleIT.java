package lottery.app;

import static lottery.app.BrowserPage.click;
import static lottery.app.BrowserPage.find;
import static lottery.app.BrowserPage.requireNoSideways;
import static lottery.app.BrowserPage.requireSound;
import static lottery.app.BrowserPage.shoot;
import static lottery.app.BrowserPage.type;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import lottery.app.LotteryProcess.Reply;
import lottery.embedded.ReservedPort;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.springframework.http.HttpMethod;

/** Tests the page for operators in a real Chromium, on a management port of its own, with accounts and sessions. */
@DisplayName("The page for operators")
class OperatorsConsoleIT {

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String PASSWORD = "correct horse battery";
    private static final String HOSTILE = "<img src=x onerror=alert(1)>";

    /** So few that a test soon has a player blocked. */
    private static final int REFUSALS_MAX = 10;

    private static final AtomicInteger NUMBERS = new AtomicInteger(790_000);

    private static TokenIssuer issuer;
    private static ReservedPort port;
    private static LotteryProcess lottery;
    private static HttpClient http;

    @BeforeAll
    static void open() throws Exception {
        issuer = new TokenIssuer();
        port = ReservedPort.any();
        http = HttpClient.newHttpClient();
        Map<String, String> environment = Servers.environmentOfIdentity(issuer);
        environment.put("LOTTERY_LIMITS_ADDRESS_REQUESTS", "0");
        environment.put("LOTTERY_LIMITS_PLAYER_REFUSALS", Integer.toString(REFUSALS_MAX));
        environment.put("LOTTERY_MANAGEMENT_PORT", Integer.toString(port.number()));
        lottery = LotteryProcess.open(environment);
        BrowserPage.warmUp(management(), person("operator"), PASSWORD);
    }

    @AfterAll
    static void close() {
        lottery.close();
        http.close();
        port.close();
        issuer.close();
    }

    private static String management() {
        return "http://localhost:" + port.number();
    }

    private static Reply as(String name, String role, HttpMethod method, String path, String body) {
        Reply reply = lottery.ask(
                method, path, body, "Authorization", "Bearer " + issuer.token(name, role), "Idempotency-Key", path);
        assertThat(reply.status()).as(reply.text()).isBetween(200, 299);
        return reply;
    }

    /** Gives an account to somebody who works here. */
    private static String person(String... roles) throws Exception {
        String name = roles[0] + "-" + NUMBERS.incrementAndGet();
        HttpResponse<String> reply = http.send(
                HttpRequest.newBuilder(URI.create(management() + "/api/v1/ops/accounts/" + name))
                        .timeout(SOON)
                        .header("Authorization", "Bearer " + issuer.token("root", "admin"))
                        .header("Content-Type", "application/json")
                        .PUT(BodyPublishers.ofString("""
                                {"roles": ["%s"], "password": "%s"}""".formatted(String.join("\", \"", roles), PASSWORD)))
                        .build(),
                BodyHandlers.ofString());
        assertThat(reply.statusCode()).as(reply.body()).isBetween(200, 299);
        return name;
    }

    private static void logIn(ChromeDriver page, String name) {
        type(page, "input[name=name]", name);
        type(page, "input[name=password]", PASSWORD);
        click(page, "form.password button", "");
        find(page, ".who", name);
    }

    private static void changeTo(ChromeDriver page, String name) {
        click(page, ".self button", "Log out");
        find(page, "form.password", "");
        logIn(page, name);
    }

    private static void go(ChromeDriver page, String address) {
        page.executeScript("location.hash = arguments[0]", address);
    }

    /** Sets a field for dates and times, in which a person chooses from a calendar of the browser. */
    private static void date(ChromeDriver page, String name, String value) {
        find(page, "input[name=" + name + "]", "");
        page.executeScript("""
                const field = document.querySelector(`main input[name=${arguments[0]}]`);
                field.value = arguments[1];
                field.dispatchEvent(new Event('input', {bubbles: true}));""", name, value);
    }

    /** Takes a decision, with its second click. */
    private static void decide(ChromeDriver page, String action, String label) {
        click(page, "button[name=" + action + "]", label);
        find(page, "dialog h2", label);
        click(page, "dialog button", label);
    }

    private static String draw(int activity, String user) {
        return as(
                        "shop",
                        "front",
                        HttpMethod.POST,
                        "/api/v1/activities/%d/accounts/%s/draws".formatted(activity, user),
                        """
                {"count": 10}""")
                .text();
    }

    @Test
    @DisplayName("An operator takes an activity from nothing to its end, and an approver passes it")
    void fromNothing() throws Exception {
        // She may pass activities, but not her own.
        String olga = person("operator", "approver");
        String paul = person("approver");
        int number = NUMBERS.incrementAndGet();
        ChromeDriver page = BrowserPage.open("en-US");
        try {
            page.get(management() + "/console");
            find(page, "h1", "Log in");
            shoot(page, "operators-login");
            requireSound(page);
            logIn(page, olga);
            inOtherTab(page, olga);
            strategy(page, number);
            simulation(page, number);
            activity(page, number, olga);
            decide(page, "submit", "Submit");
            find(page, ".title .tag", "Submitted");
            assertThat(page.findElements(By.name("pass"))).isEmpty();
            find(page, ".actions", "Somebody else has to pass it");
            requireSound(page, "status of 40");

            changeTo(page, paul);
            go(page, "#/activities");
            click(page, ".rows a", HOSTILE);
            find(page, ".facts", olga);
            shoot(page, "operators-to-pass");
            decide(page, "pass", "Pass");
            find(page, ".title .tag", "Running");
            requireSound(page);
            assertThat(page.findElements(By.tagName("img"))).isEmpty();

            draw(number, "ann");
            click(page, ".actions a", "Board");
            find(page, ".tiles", "10");
            find(page, "table", "agrees");
            assertThat(page.findElements(By.cssSelector("svg.share"))).hasSizeGreaterThan(1);
            shoot(page, "operators-board");
            draw(number, "ben");
            find(page, ".tiles", "20");
            requireSound(page);

            revision(page, number, olga, paul);
            changeTo(page, olga);
            go(page, "#/activities/" + number);
            decide(page, "pause", "Pause");
            find(page, ".title .tag", "Paused");
            decide(page, "resume", "Resume");
            find(page, ".title .tag", "Running");
            holdAndRelease(page);
            decide(page, "close", "Close");
            find(page, ".title .tag", "Closed");
            shoot(page, "operators-closed");
            requireSound(page);
        } finally {
            page.quit();
        }
    }

    private static void holdAndRelease(ChromeDriver page) throws Exception {
        click(page, "button[aria-label^='Hold: ']", "Hold");
        type(page, "dialog input[name=reason]", "Wrong codes");
        click(page, "dialog button", "Hold");
        find(page, "section[aria-labelledby=awards] .tag", "held");
        shoot(page, "operators-held");
        requireSound(page);
        click(page, "button[aria-label^='Release: ']", "Release");
        type(page, "dialog input[name=reason]", "New codes");
        click(page, "dialog button", "Release");
        await().atMost(SOON)
                .until(() -> page.findElements(By.cssSelector("section[aria-labelledby=awards] .tag"))
                        .isEmpty());
    }

    /** Two tabs have one session: what one of them ends has ended in the other. */
    private static void inOtherTab(ChromeDriver page, String olga) {
        String first = page.getWindowHandle();
        page.switchTo().newWindow(WindowType.TAB);
        page.get(management() + "/console");
        find(page, ".who", olga);
        click(page, ".self button", "Log out");
        find(page, "form.password", "");
        page.close();
        page.switchTo().window(first);
        find(page, "h1", "Log in");
        logIn(page, olga);
    }

    private static void strategy(ChromeDriver page, int number) throws Exception {
        go(page, "#/strategies/new");
        type(page, "input[name=newId]", Integer.toString(number));
        type(page, ".award:nth-of-type(1) [name=title]", "Tea");
        type(page, ".award:nth-of-type(1) [name=rate]", "0.7");
        click(page, "button.add", "Add an award");
        type(page, ".award:nth-of-type(2) [name=title]", "Bicycle");
        type(page, ".award:nth-of-type(2) [name=rate]", "0.2");
        type(page, ".award:nth-of-type(2) [name=stock]", "50");
        find(page, ".sum.bad", "0.1 is missing");
        click(page, ".sheet-form button.primary", "Save");
        find(page, ".summary", "");
        shoot(page, "operators-odds-missing");
        type(page, ".award:nth-of-type(2) [name=rate]", "0.3");
        find(page, ".sum.fits", "The rates add up to 1 exactly");
        find(page, ".sheet-form button.primary", "Save").sendKeys(Keys.ENTER);
        find(page, "h1", "Strategy " + number);
        find(page, ".title .tag", "Version 1");
        requireSound(page, "status of 40");
    }

    private static void simulation(ChromeDriver page, int number) throws Exception {
        click(page, ".title a", "Simulate");
        find(page, "h1", "Simulation of strategy " + number);
        click(page, "form button", "Simulate");
        find(page, "section[aria-labelledby=result]", "Bicycle");
        assertThat(page.findElements(By.cssSelector("svg.share"))).hasSize(2);
        shoot(page, "operators-simulation");
        requireSound(page);
    }

    private static void activity(ChromeDriver page, int number, String olga) throws Exception {
        go(page, "#/activities");
        click(page, ".title a", "New activity");
        type(page, "input[name=activityId]", Integer.toString(number));
        type(page, "input[name=name]", HOSTILE);
        type(page, "input[name=strategyId]", Integer.toString(number));
        date(page, "beginsAt", "2020-01-01T00:00");
        date(page, "endsAt", "2019-01-01T00:00");
        type(page, "section[aria-labelledby=free] [name=total]", "20");
        type(page, "section[aria-labelledby=free] [name=month]", "20");
        type(page, "section[aria-labelledby=free] [name=day]", "20");
        click(page, ".sheet-form button.primary", "Save");
        find(page, "label.wrong", "Ends");
        shoot(page, "operators-findings");

        // A session that ends costs nothing that was typed.
        page.manage().deleteAllCookies();
        date(page, "endsAt", "2120-01-01T00:00");
        click(page, ".sheet-form button.primary", "Save");
        find(page, ".message", "Your session has ended");
        logIn(page, olga);
        click(page, ".sheet-form button.primary", "Save");
        find(page, "h1", HOSTILE);
        find(page, ".title .tag", "Draft");
        find(page, "section[aria-labelledby=checks]", "");
        shoot(page, "operators-draft");
        requireSound(page, "status of 40");
    }

    /** A second version of the strategy, which the approver compares and adopts. */
    private static void revision(ChromeDriver page, int number, String olga, String paul) throws Exception {
        changeTo(page, olga);
        go(page, "#/strategies/" + number);
        type(page, ".award:nth-of-type(2) [name=title]", "Tandem");
        click(page, ".sheet-form button.primary", "Save as version 2");
        find(page, ".notice", "version 2");
        go(page, "#/activities/" + number);
        find(page, ".differences", "Award 2 · Title");
        assertThat(page.findElements(By.name("adopt"))).isEmpty();
        changeTo(page, paul);
        go(page, "#/activities/" + number);
        find(page, ".differences", "Tandem");
        find(page, ".differences del", "Bicycle");
        shoot(page, "operators-changes");
        decide(page, "adopt", "Adopt the new version");
        find(page, ".notice", "Done");
        await().atMost(SOON).until(() -> page.findElements(By.name("adopt")).isEmpty());
        requireSound(page);
    }

    @Test
    @DisplayName("An activity goes from nothing to its end by keys alone, and the focus is never lost")
    void byKeys() throws Exception {
        String olga = person("operator");
        String paul = person("approver");
        int number = NUMBERS.incrementAndGet();
        String name = "By keys " + number;
        ChromeDriver page = BrowserPage.open("en-US");
        BrowserKeys keys = new BrowserKeys(page);
        try {
            page.get(management() + "/console");
            logInByKeys(page, keys, olga);
            strategyByKeys(keys, number);
            activityByKeys(keys, number, name);

            keys.press("button[name=submit]", "");
            keys.awaitFocus("dialog h2", "Submit");
            keys.send(Keys.TAB, Keys.ESCAPE);
            keys.awaitFocus("button[name=submit]", "");
            decideByKeys(page, keys, "submit", "Submit", name, "Submitted");
            changeByKeys(page, keys, paul);
            keys.press(".rows a", name);
            keys.awaitFocus("h1", name);
            decideByKeys(page, keys, "pass", "Pass", name, "Running");
            changeByKeys(page, keys, olga);
            keys.press(".rows a", name);
            keys.awaitFocus("h1", name);
            keys.press("button[aria-label^='Hold: ']", "");
            keys.awaitFocus("dialog h2", "Hold");
            keys.write("dialog input[name=reason]", "Wrong codes");
            keys.send(Keys.ENTER);
            keys.awaitFocus("button[aria-label^='Release: ']", "");
            decideByKeys(page, keys, "close", "Close", name, "Closed");
            requireSound(page, "status of 40");
        } finally {
            page.quit();
        }
    }

    private static void logInByKeys(ChromeDriver page, BrowserKeys keys, String name) {
        find(page, "h1", "Log in");
        keys.write("input[name=name]", name);
        keys.write("input[name=password]", PASSWORD);
        keys.send(Keys.ENTER);
        keys.awaitFocus("h1", "Activities");
    }

    private static void changeByKeys(ChromeDriver page, BrowserKeys keys, String name) {
        keys.goBackTo(".self button", "Log out");
        keys.send(Keys.ENTER);
        keys.awaitFocus("h1", "Log in");
        logInByKeys(page, keys, name);
    }

    private static void strategyByKeys(BrowserKeys keys, int number) {
        keys.press(".places a", "Strategies");
        keys.awaitFocus("h1", "Strategies");
        keys.press("a.button", "New strategy");
        keys.awaitFocus("h1", "New strategy");
        keys.write("input[name=newId]", Integer.toString(number));
        keys.write("input[name=title]", "Tea");
        keys.write("input[name=rate]", "0.7");
        keys.press("button.add", "Add an award");
        keys.awaitFocus(".award:nth-of-type(2) [name=awardId]", "");
        keys.press("button.remove", "Remove Award 2");
        keys.awaitFocus("button.add", "Add an award");
        keys.send(Keys.ENTER);
        keys.write("input[name=title]", "Bicycle");
        keys.write("input[name=rate]", "0.2");
        keys.goTo("button.primary", "Save");
        keys.goBackTo("input[name=newId]", "");
        keys.press("button.primary", "Save");
        keys.awaitFocus(".summary", "/awards");
        keys.press(".summary button", "/awards");
        keys.awaitFocus(".award:nth-of-type(1) [name=awardId]", "");
        keys.write(".award:nth-of-type(2) input[name=rate]", "0.3");
        keys.press("button.primary", "Save");
        keys.awaitFocus("h1", "Strategy " + number);
    }

    private static void activityByKeys(BrowserKeys keys, int number, String name) {
        keys.press(".places a", "Activities");
        keys.awaitFocus("h1", "Activities");
        keys.press("a.button", "New activity");
        keys.awaitFocus("h1", "New activity");
        keys.write("input[name=activityId]", Integer.toString(number));
        keys.write("input[name=name]", name);
        keys.goTo("input[name=beginsAt]", "");
        keys.send("01012020", Keys.TAB, "1200AM");
        keys.goTo("input[name=endsAt]", "");
        keys.send("01012120", Keys.TAB, "1200AM");
        keys.write("input[name=strategyId]", Integer.toString(number));
        for (String period : List.of("total", "month", "day")) {
            keys.write("input[name=" + period + "]", "20");
        }
        keys.press("button.primary", "Save");
        keys.awaitFocus("h1", name);
    }

    private static void decideByKeys(
            ChromeDriver page, BrowserKeys keys, String action, String label, String name, String state) {
        keys.press("button[name=" + action + "]", "");
        keys.awaitFocus("dialog h2", label);
        keys.press("dialog button", label);
        find(page, ".title .tag", state);
        keys.awaitFocus("h1", name);
    }

    @Test
    @DisplayName(
            "An operator edits tiers and a tree by form, sees flaws at their fields, and goes on from an old version")
    void tiersAndTree() throws Exception {
        String olga = person("operator");
        int number = NUMBERS.incrementAndGet();
        ChromeDriver page = BrowserPage.open("en-US");
        try {
            BrowserPage.asDarkPhone(page);
            page.get(management() + "/console");
            logIn(page, olga);
            go(page, "#/strategies/new");
            type(page, "input[name=newId]", Integer.toString(number));
            type(page, ".award [name=title]", HOSTILE);
            type(page, ".award [name=rate]", "1");
            click(page, "button.add", "Add a tier");
            type(page, ".tier [name=from]", "3");
            click(page, ".tier input[type=checkbox]", "");
            click(page, ".own-tree", "Decide by a tree");
            String toOfLeft = ".node:nth-of-type(2) .line:nth-of-type(1) [name=to]";
            click(page, toOfLeft + " option", "lock");
            click(page, ".sheet-form button.primary", "Save");
            find(page, ".node:nth-of-type(2) .line .problems", "lock -> stock -> lock");
            find(page, ".outline", "see above");
            click(page, ".summary button", "/tree/lines/2");
            assertThat(page.switchTo().activeElement().getDomAttribute("id")).isEqualTo("field-tree-lines-2-is");
            requireNoSideways(page);
            shoot(page, "tree-flaws-phone");
            click(page, toOfLeft + " option", "win");
            click(page, ".sheet-form button.primary", "Save");
            find(page, "h1", "Strategy " + number);
            assertThat(strategyOf(number))
                    .contains("\"tiers\":[{\"from\":3,\"awardIds\":[1]}]", "\"from\":\"stock\",\"to\":\"win\"");
            start(number);

            type(page, ".tier [name=from]", "5");
            click(page, ".node:nth-of-type(1) .line:nth-of-type(1) [name=to] option", "win");
            click(page, ".node:nth-of-type(2) button", "Remove stock");
            click(page, ".sheet-form button.primary", "Save as version 2");
            find(page, ".notice", "version 2");
            assertThat(strategyOf(number))
                    .contains("\"from\":5", "\"from\":\"lock\",\"to\":\"win\"")
                    .doesNotContain("left");
            go(page, "#/activities/" + number);
            // The first of two lines that come from one node.
            find(page, ".differences del", "stock");
            find(page, ".differences", "Lines · lock · To");
            page.executeScript("document.querySelector('.differences').scrollIntoView()");
            shoot(page, "tree-differences-phone");
            requireNoSideways(page);

            go(page, "#/strategies/" + number);
            type(page, ".inline [name=number]", "1");
            click(page, ".inline button", "Open");
            find(page, ".inline", "it becomes version 3");
            assertThat(find(page, ".tier [name=from]", "").getDomProperty("value"))
                    .isEqualTo("3");
            click(page, ".sheet-form button.primary", "Save as version 3");
            find(page, ".notice", "version 3");
            assertThat(strategyOf(number)).contains("\"version\":3", "\"from\":3", "left");
            audience(page, number);
            assertThat(page.findElements(By.tagName("img"))).isEmpty();
            requireSound(page, "status of 40");
        } finally {
            page.quit();
        }
    }

    /** A tree that leads users to an activity. */
    private static void audience(ChromeDriver page, int number) throws Exception {
        go(page, "#/trees/" + number);
        find(page, ".title .tag", "New");
        type(page, ".node:nth-of-type(1) [name=matter]", "age");
        click(page, ".node:nth-of-type(1) [name=kind] option", "number");
        click(page, ".line [name=is] option", "at least");
        type(page, ".line [name=values]", "old");
        type(page, ".node:nth-of-type(2) [name=result]", Integer.toString(number));
        click(page, ".sheet-form button.primary", "Save as version 1");
        find(page, "label.wrong .problems", "old is no number");
        type(page, ".line [name=values]", "18");
        click(page, ".sheet-form button.primary", "Save as version 1");
        find(page, ".notice", "Saved as version 1");
        shoot(page, "audience-phone");
        page.navigate().refresh();
        find(page, ".title .tag", "Version 1");
        find(page, "div.outline", "at least 18 → " + number);
    }

    private static String strategyOf(int number) {
        return as("olga", "operator", HttpMethod.GET, "/api/v1/strategies/" + number, null)
                .text();
    }

    /** Opens an activity by the first version of a strategy with the same number. */
    private static void start(int number) {
        as("olga", "operator", HttpMethod.POST, "/api/v1/activities", """
                {"activityId": %d, "name": "Tree %d", "beginsAt": "2020-01-01T00:00:00+08:00",
                 "endsAt": "2120-01-01T00:00:00+08:00", "strategyId": %d,
                 "free": {"total": 1, "month": 1, "day": 1}}""".formatted(number, number, number));
        String transitions = "/api/v1/activities/" + number + "/transitions";
        as("olga", "operator", HttpMethod.POST, transitions, "{\"action\": \"submit\"}");
        as("paul", "approver", HttpMethod.POST, transitions, "{\"action\": \"pass\"}");
    }

    @Test
    @DisplayName("An approver confirms one large booking of credits and declines another, and sees what became of them")
    void credits() throws Exception {
        String paula = person("approver");
        String rich = "rich-" + NUMBERS.incrementAndGet();
        String poor = "poor-" + NUMBERS.incrementAndGet();
        for (String user : List.of(rich, poor)) {
            as("shop", "front", HttpMethod.POST, "/api/v1/users/" + user + "/credits/entries", """
                    {"amount": "5000", "businessNo": "gift-%s", "reason": "<img src=x> for %s"}""".formatted(
                            user, user));
        }
        ChromeDriver page = BrowserPage.open("en-US");
        try {
            page.get(management() + "/console");
            logIn(page, paula);
            go(page, "#/credits");
            find(page, "h1", "Proposed credits");
            find(page, ".proposals", "for " + rich);
            shoot(page, "credits");
            click(page, "button[aria-label^='Confirm: " + rich + "']", "Confirm");
            find(page, "dialog", "Book 5,000 credits for " + rich);
            click(page, "dialog button", "Confirm");
            find(page, ".notice", "The credits of " + rich + " are booked");
            click(page, "button[aria-label^='Decline: " + poor + "']", "Decline");
            type(page, "dialog input[name=reason]", "Not in the budget");
            click(page, "dialog button", "Decline");
            find(page, ".notice", "The booking for " + poor + " is declined");
            assertThat(find(page, ".proposals", "").getText()).doesNotContain(rich, poor);
            click(page, "select[name=wanted] option", "declined");
            find(page, ".proposals", "Not in the budget");
            find(page, ".proposals", "proposed by shop · decided by " + paula);
            assertThat(as("shop", "front", HttpMethod.GET, "/api/v1/users/" + rich + "/credits", null)
                            .json()
                            .path("balance")
                            .asString())
                    .isEqualTo("5000");
            assertThat(page.findElements(By.tagName("img"))).isEmpty();
            requireSound(page);
        } finally {
            page.quit();
        }
    }

    @Test
    @DisplayName(
            "An administrator gives, finds, changes and locks accounts in Chinese on a phone; the desk locks players")
    void accounts() throws Exception {
        String root = person("admin");
        String dora = person("desk");
        String ann = person("player");
        String name = "tina<b>" + NUMBERS.incrementAndGet();
        ChromeDriver page = BrowserPage.open("zh-CN");
        try {
            BrowserPage.asDarkPhone(page);
            page.get(management() + "/console");
            logIn(page, root);
            find(page, "h1", "账号");
            newAccount(page, name);
            click(page, "dialog button", "保存");
            find(page, "dialog .checks .problems", "");
            shoot(page, "account-phone");
            click(page, "dialog input[value=operator]", "");
            type(page, "dialog input[name=password]", PASSWORD);
            click(page, "dialog button", "保存");
            find(page, ".notice", name);
            newAccount(page, name);
            click(page, "dialog input[value=admin]", "");
            click(page, "dialog button", "保存");
            find(page, "dialog .wrong .problems", "已存在");
            find(page, "dialog h2", "").sendKeys(Keys.ESCAPE);
            type(page, "input[name=beginning]", "tina<b>");
            click(page, "main form button", "查询");
            await().atMost(SOON)
                    .until(() -> page.findElements(By.cssSelector(".accounts li .grow")).stream()
                            .allMatch(each -> each.getText().startsWith("tina<b>")));
            click(page, "button[aria-label='编辑: " + name + "']", "编辑");
            click(page, "dialog input[value=approver]", "");
            click(page, "dialog button", "保存");
            find(page, ".accounts li", "审批");
            requireNoSideways(page);
            click(page, "button[aria-label='锁定: " + name + "']", "锁定");
            type(page, "dialog input[name=reason]", "离职");
            click(page, "dialog button", "锁定");
            find(page, ".accounts .tag", "已锁定");
            find(page, "section[aria-labelledby=changes]", root + " · 离职");
            shoot(page, "accounts-phone");
            assertThat(page.findElements(By.cssSelector("main b"))).isEmpty();
            requireSound(page, "status of 40");
            click(page, ".self button", "退出登录");
            type(page, "input[name=name]", name);
            type(page, "input[name=password]", PASSWORD);
            click(page, "form.password button", "");
            find(page, ".message", "");

            logIn(page, dora);
            go(page, "#/accounts");
            lock(page, name);
            find(page, "dialog .message", "");
            find(page, "dialog h2", "").sendKeys(Keys.ESCAPE);
            lock(page, ann);
            find(page, ".notice", ann);
            requireSound(page, "status of 40");
        } finally {
            page.quit();
        }
    }

    private static void newAccount(ChromeDriver page, String name) {
        click(page, ".title button", "新建账号");
        type(page, "dialog input[name=name]", name);
    }

    private static void lock(ChromeDriver page, String name) {
        type(page, "main input[name=account]", name);
        click(page, "button[name=lock]", "锁定");
        type(page, "dialog input[name=reason]", "盗号");
        click(page, "dialog button", "锁定");
    }

    @Test
    @DisplayName("The desk decides in Chinese on a phone, and an operator builds a read model anew")
    void desk() throws Exception {
        String dora = person("desk");
        String olga = person("operator");
        int number = waitingAwards();
        ChromeDriver page = BrowserPage.open("zh-CN");
        try {
            BrowserPage.asDarkPhone(page);
            page.get(management() + "/console");
            find(page, "h1", "登录");
            logIn(page, dora);
            go(page, "#/desk");
            String one = "winner-" + number;
            await().atMost(SOON).until(() -> {
                click(page, ".title button", "刷新");
                return page.findElement(By.tagName("main")).getText().contains(one);
            });
            requireNoSideways(page);
            shoot(page, "desk-phone");
            click(page, "button[aria-label*='经过'][aria-label*='" + one + "']", "经过");
            find(page, "dialog .timeline", "中奖");
            shoot(page, "desk-history");
            requireSound(page);
            find(page, "dialog h2", "").sendKeys(Keys.ESCAPE);
            click(page, "button[aria-label*='放行'][aria-label*='" + one + "']", "放行");
            find(page, "dialog h2", "放行");
            click(page, "dialog button", "放行");
            find(page, ".notice", "您的决定已记录");
            await().atMost(SOON).until(() -> {
                click(page, ".title button", "刷新");
                return !page.findElement(By.tagName("main")).getText().contains(one);
            });
            refusedRebate(number);
            go(page, "#/desk");
            await().atMost(SOON).until(() -> {
                click(page, ".title button", "刷新");
                return page.findElements(By.id("rebates")).size() == 1;
            });
            shoot(page, "desk-rebates");
            requireNoSideways(page);
            click(page, "button[aria-label*='重试'][aria-label*='sharer-']", "重试");
            click(page, "dialog button", "重试");
            find(page, ".notice", "仍被拒绝");
            click(page, "button[aria-label*='放弃'][aria-label*='sharer-']", "放弃");
            type(page, "dialog input[name=reason]", "售罄");
            click(page, "dialog button", "放弃");
            find(page, ".notice", "您的决定已记录");
            go(page, "#/audit");
            find(page, "section[aria-labelledby=decisions]", dora);
            requireNoSideways(page);

            go(page, "#/bans");
            type(page, "section[aria-labelledby=ban] [name=user]", one);
            click(page, "section[aria-labelledby=ban] button", "封禁");
            type(page, "dialog input[name=reason]", "多个账号");
            click(page, "dialog button", "封禁");
            find(page, ".notice", one);
            await().atMost(SOON).until(() -> {
                page.navigate().refresh();
                return find(page, "section[aria-labelledby=banned]", "")
                        .getText()
                        .contains(one);
            });
            String greedy = blockedPlayer(number);
            await().atMost(SOON).until(() -> {
                page.navigate().refresh();
                String banned =
                        find(page, "section[aria-labelledby=banned]", "").getText();
                return banned.contains(greedy) && banned.contains("由限流器自动封禁") && banned.contains("多个账号");
            });
            assertThat(find(page, "section[aria-labelledby=banned]", "").getText())
                    .doesNotContain("undefined");
            requireSound(page);
            click(page, ".self button", "English");
            changeTo(page, olga);
            go(page, "#/projections");
            click(page, "button[aria-label='Replay: wins']", "Replay");
            click(page, "dialog button", "Replay");
            find(page, ".notice", "wins is being built anew");
            find(page, "tr", "wins");
            shoot(page, "projections-phone");
            requireNoSideways(page);
            requireSound(page);
        } finally {
            page.quit();
        }
    }

    @Test
    @DisplayName("One of the desk proposes a remedy for a dear award and sees that it waits; another one agrees")
    void twoOfTheDesk() throws Exception {
        String dora = person("desk");
        String otto = person("desk");
        String winner = dearAwardOnDesk();
        ChromeDriver page = BrowserPage.open("zh-CN");
        try {
            page.get(management() + "/console");
            logIn(page, dora);
            go(page, "#/desk");
            await().atMost(SOON).until(() -> {
                click(page, ".title button", "刷新");
                return page.findElement(By.tagName("main")).getText().contains(winner);
            });
            click(page, "button[aria-label*='退还次数'][aria-label*='" + winner + "']", "退还次数");
            type(page, "dialog input[name=reason]", "售罄");
            click(page, "dialog button", "退还次数");
            find(page, ".notice", "等待第二人同意");
            find(page, ".proposed", "由 " + dora + " 提出 · 售罄");
            assertThat(page.findElements(By.cssSelector("button[aria-label*='退还次数'][aria-label*='" + winner + "']")))
                    .as("nobody agrees to his own proposal")
                    .isEmpty();
            shoot(page, "desk-proposed");
            requireSound(page);
            click(page, ".self button", "English");
            changeTo(page, otto);
            go(page, "#/desk");
            find(page, ".proposed", "waits for a second person");
            click(page, "button[aria-label^='Agree: Return chance'][aria-label*='" + winner + "']", "Agree");
            find(page, "dialog", "Return the chance instead of Bicycle (" + winner + ")?");
            type(page, "dialog input[name=reason]", "It is true");
            click(page, "dialog button", "Agree");
            find(page, ".notice", "Your decision is noted");
            await().atMost(SOON).until(() -> {
                click(page, ".title button", "Look again");
                return !page.findElement(By.tagName("main")).getText().contains(winner);
            });
            go(page, "#/audit");
            String decisions = "section[aria-labelledby=decisions] li";
            assertThat(find(page, decisions, "proposed to return the chance").getText())
                    .contains(dora);
            assertThat(find(page, decisions, "returned the chance").getText()).contains(otto);
            requireSound(page);
        } finally {
            page.quit();
        }
    }

    @Test
    @DisplayName("Who operates and plays in one browser has two sessions")
    void besidePlayers() throws Exception {
        String ann = person("player");
        String dora = person("desk");
        ChromeDriver page = BrowserPage.open("en-US");
        try {
            page.get(lottery.address() + "/");
            logIn(page, ann);
            page.get(management() + "/console");
            logIn(page, dora);
            find(page, "h1", "Activities");
            page.get(lottery.address() + "/");
            find(page, ".who", ann);
            page.get(management() + "/console");
            find(page, ".who", dora);
            click(page, ".self button", "Log out");
            find(page, "h1", "Log in");
            page.get(lottery.address() + "/");
            find(page, ".who", ann);
        } finally {
            page.quit();
        }
    }

    /** Lets two users share something, of whom only one can get the last piece of what it earns. */
    private static void refusedRebate(int activity) {
        as("olga", "operator", HttpMethod.PUT, "/api/v1/rebate-rules/" + activity, """
                {"behaviour": "share-%d", "rebates": [{"kind": "SKU", "activityId": %d, "sku": %d}],
                 "limit": {"count": 1, "period": "DAY"}, "state": "OPEN"}""".formatted(
                        activity, activity, activity));
        as("paul", "approver", HttpMethod.POST, "/api/v1/rebate-rules/" + activity + "/adoption", "{\"version\": 1}");
        for (String user : List.of("sharer-a-" + activity, "sharer-b-" + activity)) {
            as("shop", "front", HttpMethod.POST, "/api/v1/users/" + user + "/behaviours", """
                    {"behaviour": "share-%d", "outBusinessNo": "1"}""".formatted(activity));
        }
    }

    /** Lets a player draw on without a pause until the limiter blocks him. */
    private static String blockedPlayer(int activity) {
        String name = "greedy-" + activity;
        String draws = "/api/v1/activities/%d/accounts/%s/draws".formatted(activity, name);
        String token = "Bearer " + issuer.token(name, "player");
        AtomicInteger keys = new AtomicInteger();
        await().atMost(SOON)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> lottery.ask(
                                HttpMethod.POST,
                                draws,
                                null,
                                "Authorization",
                                token,
                                "Idempotency-Key",
                                "key-" + keys.incrementAndGet())
                        .code()
                        .equals("PLAYER_BLOCKED"));
        return name;
    }

    /** Lets a user win a dear parcel that fulfilment rejects, and returns the user. */
    private static String dearAwardOnDesk() {
        int number = NUMBERS.incrementAndGet();
        String record = win(number, """
                "title": "Bicycle", "type": "PHYSICAL", "cost": "250\"""").json().path("awardRecordId").asString();
        String award = "/api/v1/award-records/" + record;
        as("shop", "front", HttpMethod.POST, award + "/claim", """
                {"name": "Ann", "phone": "1", "address": "1 High Street"}""");
        as("parcels", "fulfilment", HttpMethod.POST, award + "/fulfilments", """
                {"result": "REJECTED", "reference": "r", "reason": "Broken"}""");
        return "winner-" + number;
    }

    /** Lets a user win awards that wait for a release. */
    private static int waitingAwards() {
        int number = NUMBERS.incrementAndGet();
        win(number, """
                "title": "Weekend", "type": "TEXT", "grant": {"timing": "MANUAL"}""");
        return number;
    }

    /** Lets a user draw in an activity with one award. */
    private static Reply win(int number, String award) {
        as("olga", "operator", HttpMethod.POST, "/api/v1/strategies", """
                {"strategyId": %d, "mode": "SINGLE", "awards": [{"awardId": 1, "rate": "1", "sort": 1, %s}]}""".formatted(number, award));
        as("olga", "operator", HttpMethod.POST, "/api/v1/activities", """
                {"activityId": %d, "name": "Desk %d", "beginsAt": "2020-01-01T00:00:00+08:00",
                 "endsAt": "2120-01-01T00:00:00+08:00", "strategyId": %d,
                 "free": {"total": 1, "month": 1, "day": 1},
                 "skus": [{"sku": %d, "total": 1, "month": 1, "day": 1, "stock": 1}]}""".formatted(number, number, number, number));
        String transitions = "/api/v1/activities/" + number + "/transitions";
        as("olga", "operator", HttpMethod.POST, transitions, "{\"action\": \"submit\"}");
        as("paul", "approver", HttpMethod.POST, transitions, "{\"action\": \"pass\"}");
        await().atMost(SOON)
                .until(() -> lottery.get("/api/v1/activities/" + number)
                        .json()
                        .path("state")
                        .asString()
                        .equals("DOING"));
        return as(
                "shop",
                "front",
                HttpMethod.POST,
                "/api/v1/activities/%d/accounts/winner-%d/draws".formatted(number, number),
                "");
    }
}
