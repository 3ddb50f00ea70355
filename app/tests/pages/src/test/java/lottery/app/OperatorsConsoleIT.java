package lottery.app;

import static lottery.app.BrowserPage.awaitPage;
import static lottery.app.BrowserPage.click;
import static lottery.app.BrowserPage.find;
import static lottery.app.BrowserPage.press;
import static lottery.app.BrowserPage.requireNoSideways;
import static lottery.app.BrowserPage.requireSound;
import static lottery.app.BrowserPage.shoot;
import static lottery.app.BrowserPage.type;
import static lottery.app.OperatorsLottery.as;
import static lottery.app.OperatorsLottery.awaitListed;
import static lottery.app.OperatorsLottery.awaitRunning;
import static lottery.app.OperatorsLottery.changeTo;
import static lottery.app.OperatorsLottery.go;
import static lottery.app.OperatorsLottery.logIn;
import static lottery.app.OperatorsLottery.management;
import static lottery.app.OperatorsLottery.nextNumber;
import static lottery.app.OperatorsLottery.person;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.chrome.ChromeDriver;
import org.springframework.http.HttpMethod;

/** Tests the page for operators in a real Chromium, on a management port of its own, with accounts and sessions. */
@DisplayName("The page for operators")
class OperatorsConsoleIT {

    private static final String HOSTILE = "<img src=x onerror=alert(1)>";

    @BeforeAll
    static void open() throws Exception {
        OperatorsLottery.open();
    }

    @Test
    @DisplayName("An operator takes an activity from nothing to its end, and an approver passes it")
    void fromNothing() throws Exception {
        // She may pass activities, but not her own.
        String olga = person("operator", "approver");
        String paul = person("approver");
        int number = nextNumber();
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
            go(page, "#/proposals");
            awaitListed(page, "Look again", HOSTILE);
            click(page, ".rows a", HOSTILE);
            find(page, ".facts", olga);
            shoot(page, "operators-to-pass");
            decide(page, "pass", "Pass");
            find(page, ".title .tag", "Running");
            requireSound(page);
            assertThat(page.findElements(By.tagName("img"))).isEmpty();

            // The board goes on only for an activity that it has found running.
            awaitRunning(number);
            draw(number, "ann");
            click(page, ".actions a", "Board");
            find(page, ".tiles", "10");
            find(page, ".tiles", "of at most 999.5");
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

    /** Two tabs have one session: what one of them ends has ended in the other. */
    private static void inOtherTab(ChromeDriver page, String olga) {
        String first = page.getWindowHandle();
        BrowserPage.openTab(page);
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
        type(page, ".award:nth-of-type(1) [name=cost]", "0.25");
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
        press(page, ".sheet-form button.primary", "Save", Keys.ENTER);
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
        type(page, "section[aria-labelledby=budget] [name=amount]", "1000");
        type(page, "section[aria-labelledby=budget] [name=perDay]", "1001");
        type(page, "section[aria-labelledby=free] [name=total]", "20");
        type(page, "section[aria-labelledby=free] [name=month]", "20");
        type(page, "section[aria-labelledby=free] [name=day]", "20");
        click(page, ".sheet-form button.primary", "Save");
        find(page, "label.wrong", "Ends");
        find(page, ".summary", "the budget of a day is at most the whole budget");
        type(page, "section[aria-labelledby=budget] [name=perDay]", "999.5");
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
        awaitPage().until(() -> page.findElements(By.name("adopt")).isEmpty());
        requireSound(page);
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
        awaitPage()
                .until(() -> page.findElements(By.cssSelector("section[aria-labelledby=awards] .tag"))
                        .isEmpty());
    }

    @Tag("trial")
    @Tag("turn-2")
    @Test
    @DisplayName(
            "An operator edits tiers and a tree by form, sees flaws at their fields, and goes on from an old version")
    void tiersAndTree() throws Exception {
        String olga = person("operator");
        int number = nextNumber();
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
            awaitPage()
                    .until(() -> "3".equals(find(page, ".tier [name=from]", "").getDomProperty("value")));
            click(page, ".sheet-form button.primary", "Save as version 3");
            find(page, ".notice", "version 3");
            assertThat(strategyOf(number)).contains("\"version\":3", "\"from\":3", "left");
            untouched(page);
            audience(page, number);
            assertThat(page.findElements(By.tagName("img"))).isEmpty();
            requireSound(page, "status of 40");
        } finally {
            page.quit();
        }
    }

    /** A revision keeps what the operator has not changed, and sends nothing that the form does not show. */
    private static void untouched(ChromeDriver page) throws Exception {
        int number = nextNumber();
        as("olga", "operator", HttpMethod.POST, "/api/v1/strategies", """
                {"strategyId": %d, "mode": "SINGLE", "awards": [
                  {"awardId": 1, "title": "Mug", "type": "TEXT", "config": {"text": "Two\\nlines \\\\ here"},
                   "rate": "0.5", "sort": 20, "amount": {"min": "3", "max": "4"}},
                  {"awardId": 2, "title": "Points", "type": "CREDIT", "amount": {"min": "1", "max": "2"},
                   "rate": "0.5", "sort": 10, "grant": {"timing": "SCHEDULED", "at": "2100-01-01T00:00:00Z"}}]}""".formatted(number));
        go(page, "#/strategies/" + number);
        find(page, ".title .tag", "Version 1");
        type(page, ".award:nth-of-type(1) [name=title]", "Cup");
        click(page, ".award:nth-of-type(2) summary", "More about");
        click(page, ".award:nth-of-type(2) [name=timing] option", "at once");
        click(page, ".award:nth-of-type(2) [name=type] option", "Text");
        click(page, ".sheet-form button.primary", "Save as version 2");
        find(page, ".notice", "version 2");
        assertThat(strategyOf(number))
                .contains(
                        "\"title\":\"Cup\"",
                        "\"text\":\"Two\\nlines \\\\ here\"",
                        "\"amount\":{\"min\":\"3\",\"max\":\"4\"}",
                        "\"sort\":20",
                        "\"sort\":10")
                .doesNotContain("\"at\":", "\"min\":\"1\"");
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
        awaitRunning(number);
    }
}
