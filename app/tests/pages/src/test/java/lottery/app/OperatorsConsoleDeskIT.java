package lottery.app;

import static lottery.app.BrowserPage.awaitPage;
import static lottery.app.BrowserPage.click;
import static lottery.app.BrowserPage.find;
import static lottery.app.BrowserPage.press;
import static lottery.app.BrowserPage.requireNoSideways;
import static lottery.app.BrowserPage.requireSound;
import static lottery.app.BrowserPage.shoot;
import static lottery.app.BrowserPage.text;
import static lottery.app.BrowserPage.type;
import static lottery.app.OperatorsLottery.as;
import static lottery.app.OperatorsLottery.awaitListed;
import static lottery.app.OperatorsLottery.awaitRunning;
import static lottery.app.OperatorsLottery.changeTo;
import static lottery.app.OperatorsLottery.go;
import static lottery.app.OperatorsLottery.logIn;
import static lottery.app.OperatorsLottery.lottery;
import static lottery.app.OperatorsLottery.management;
import static lottery.app.OperatorsLottery.nextNumber;
import static lottery.app.OperatorsLottery.person;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import lottery.app.LotteryProcess.Reply;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.web.client.RestClient;

@DisplayName("The desk on the page for operators")
class OperatorsConsoleDeskIT {

    @BeforeAll
    static void open() throws Exception {
        OperatorsLottery.open();
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
            awaitListed(page, "刷新", one);
            requireNoSideways(page);
            shoot(page, "desk-phone");
            click(page, "button[aria-label*='经过'][aria-label*='" + one + "']", "经过");
            find(page, "dialog .timeline", "中奖");
            shoot(page, "desk-history");
            requireSound(page);
            press(page, "dialog h2", "", Keys.ESCAPE);
            click(page, "button[aria-label*='放行'][aria-label*='" + one + "']", "放行");
            find(page, "dialog h2", "放行");
            click(page, "dialog button", "放行");
            find(page, ".notice", "您的决定已记录");
            awaitPage().until(() -> {
                click(page, ".title button", "刷新");
                return !page.findElement(By.tagName("main")).getText().contains(one);
            });
            refusedRebate(number);
            go(page, "#/desk");
            awaitPage().until(() -> {
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
            find(page, ".notice", "等待第二人同意");
            go(page, "#/audit");
            find(page, "section[aria-labelledby=decisions]", dora);
            requireNoSideways(page);

            go(page, "#/bans");
            type(page, "section[aria-labelledby=ban] [name=user]", one);
            click(page, "section[aria-labelledby=ban] button", "封禁");
            type(page, "dialog input[name=reason]", "多个账号");
            click(page, "dialog button", "封禁");
            find(page, ".notice", one);
            awaitPage().until(() -> {
                page.navigate().refresh();
                return text(page, "section[aria-labelledby=banned]", "").contains(one);
            });
            assertThat(text(page, "section[aria-labelledby=banned]", ""))
                    .contains("多个账号")
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

    /** Lets two users share something, of whom only one can get the last piece of what it earns. */
    private static void refusedRebate(int activity) {
        Reply proposed = as("olga", "operator", HttpMethod.PUT, "/api/v1/rebate-rules/" + activity, """
                {"behaviour": "share-%d", "rebates": [{"kind": "SKU", "activityId": %d, "sku": %d}],
                 "limit": {"count": 1, "period": "DAY"}, "state": "OPEN"}""".formatted(
                        activity, activity, activity));
        String proposal =
                "/api/v1/ops/proposals/" + proposed.json().path("proposalId").asString();
        RestClient.create()
                .post()
                .uri(URI.create(management() + proposal + "/decision"))
                .header("Authorization", "Bearer " + OperatorsLottery.token("paul", "approver"))
                .contentType(MediaType.APPLICATION_JSON)
                .body("{\"decision\": \"AGREE\"}")
                .retrieve()
                .toBodilessEntity();
        for (String user : List.of("sharer-a-" + activity, "sharer-b-" + activity)) {
            as("shop", "front", HttpMethod.POST, "/api/v1/users/" + user + "/behaviours", """
                    {"behaviour": "share-%d", "outBusinessNo": "1"}""".formatted(activity));
        }
    }

    /** Lets a user win awards that wait for a release. */
    private static int waitingAwards() {
        int number = nextNumber();
        win(number, """
                "title": "Weekend", "type": "TEXT", "grant": {"timing": "MANUAL"}""");
        return number;
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
            awaitListed(page, "刷新", winner);
            click(page, "button[aria-label*='退还次数'][aria-label*='" + winner + "']", "退还次数");
            type(page, "dialog input[name=reason]", "售罄");
            click(page, "dialog button", "退还次数");
            find(page, ".notice", "等待第二人同意");
            find(page, ".proposed", "由 " + dora + " 提出 · 售罄");
            assertThat(page.findElements(By.cssSelector("button[aria-label*='退还次数'][aria-label*='" + winner + "']")))
                    .as("it is proposed already")
                    .isEmpty();
            shoot(page, "desk-proposed");
            click(page, ".proposed a", winner);
            find(page, "h1", "提议");
            awaitListed(page, "刷新", winner);
            find(page, "button[aria-label^='撤回'][aria-label*='" + winner + "']", "撤回");
            assertThat(page.findElements(By.cssSelector("button[aria-label^='同意'][aria-label*='" + winner + "']")))
                    .as("nobody agrees to his own proposal")
                    .isEmpty();
            requireSound(page);
            click(page, ".self button", "English");
            changeTo(page, otto);
            go(page, "#/proposals");
            String proposal = "Return the chance to " + winner;
            click(page, "button[aria-label^='History: " + proposal + "']", "History");
            find(page, "dialog h2", "Bicycle");
            press(page, "dialog h2", "", Keys.ESCAPE);
            click(page, "button[aria-label^='Agree: " + proposal + "']", "Agree");
            find(page, "dialog", proposal);
            click(page, "dialog button", "Agree");
            find(page, ".notice", "Your decision is noted");
            shoot(page, "desk-agreed");
            go(page, "#/desk");
            awaitPage().until(() -> {
                click(page, ".title button", "Look again");
                return !page.findElement(By.tagName("main")).getText().contains(winner);
            });
            go(page, "#/audit");
            awaitAudited(page, dora, "proposal.made");
            awaitAudited(page, otto, "proposal.agreed");
            requireSound(page);
        } finally {
            page.quit();
        }
    }

    private static void awaitAudited(ChromeDriver page, String actor, String decision) {
        type(page, "input[name=actor]", actor);
        awaitPage().until(() -> {
            click(page, "main form button", "Search");
            return page.findElements(By.cssSelector("section[aria-labelledby=entries] li")).stream()
                    .map(WebElement::getText)
                    .anyMatch(entry -> entry.contains(actor) && entry.contains(decision));
        });
    }

    /** Lets a user win a dear parcel that fulfilment rejects, and returns the user. */
    private static String dearAwardOnDesk() {
        int number = nextNumber();
        String record = win(number, """
                "title": "Bicycle", "type": "PHYSICAL", "cost": "250\"""").json().path("awardRecordId").asString();
        String award = "/api/v1/award-records/" + record;
        as("shop", "front", HttpMethod.POST, award + "/claim", """
                {"name": "Ann", "phone": "1", "address": "1 High Street"}""");
        as("parcels", "fulfilment", HttpMethod.POST, award + "/fulfilments", """
                {"result": "REJECTED", "reference": "r", "reason": "Broken"}""");
        return "winner-" + number;
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
        awaitRunning(number);
        return as(
                "shop",
                "front",
                HttpMethod.POST,
                "/api/v1/activities/%d/accounts/winner-%d/draws".formatted(number, number),
                "");
    }

    @Test
    @DisplayName("Times are shown on the clock of the activity's zone, or in UTC if the browser does not know the zone")
    void zones() throws Exception {
        String olga = person("operator");
        ChromeDriver page = BrowserPage.open("en-US");
        try {
            page.get(management() + "/console");
            logIn(page, olga);
            requireTimes(page, draftIn("Z"), "Dec 31, 2019, 4:00", "2019-12-31T16:00");
            requireTimes(page, draftIn("UTC+8"), "Jan 1, 2020, 12:00", "2020-01-01T00:00");
            requireTimes(page, draftIn("+05:30"), "Dec 31, 2019, 9:30", "2019-12-31T21:30");
            requireTimes(page, draftIn("+08:00:01"), "2019-12-31T16:00:00Z", "");
            find(page, "label", "This browser does not know this time zone");
            for (String known : List.of("UTC+8", "GMT+0", "-3", "Europe/Berlin")) {
                type(page, "input[name=zone]", known);
                find(page, "button.primary", "Save");
            }
            type(page, "input[name=zone]", "UTC+");
            find(page, "label", "This browser does not know this time zone");
            requireSound(page);
        } finally {
            page.quit();
        }
    }

    /** Requires the begin of an activity as it is listed, and as the form has it. */
    private static void requireTimes(ChromeDriver page, int activity, String shown, String edited) {
        go(page, "#/activities");
        page.navigate().refresh();
        find(page, ".rows a", "Zone " + activity);
        assertThat(text(page, ".rows li", "Zone " + activity)).contains(shown);
        go(page, "#/activities/" + activity);
        find(page, ".facts", shown);
        go(page, "#/activities/" + activity + "/edit");
        assertThat(find(page, "input[name=beginsAt]", "").getDomProperty("value"))
                .isEqualTo(edited);
    }

    /** Makes an activity that begins at 16:00 UTC, and returns its number when it is listed. */
    private static int draftIn(String zone) {
        int number = nextNumber();
        as("olga", "operator", HttpMethod.POST, "/api/v1/strategies", """
                {"strategyId": %d, "mode": "SINGLE", "awards": [
                  {"awardId": 1, "title": "Tea", "type": "TEXT", "rate": "1", "sort": 1}]}""".formatted(number));
        Reply created = as("olga", "operator", HttpMethod.POST, "/api/v1/activities", """
                {"activityId": %d, "name": "Zone %d", "beginsAt": "2020-01-01T00:00:00+08:00", "zone": "%s",
                 "endsAt": "2120-01-01T00:00:00+08:00", "strategyId": %d,
                 "skus": [{"sku": %d, "total": 1, "month": 1, "day": 1}]}""".formatted(
                        number, number, zone, number, number));
        String position = created.headers().getFirst("Lottery-Position");
        as("olga", "operator", HttpMethod.GET, "/api/v1/activities?after=" + position, null);
        return number;
    }

    @Test
    @DisplayName("Who operates and plays in one browser has two sessions")
    void besidePlayers() throws Exception {
        String ann = person("player");
        String dora = person("desk");
        ChromeDriver page = BrowserPage.open("en-US");
        try {
            page.get(lottery().address() + "/");
            logIn(page, ann);
            page.get(management() + "/console");
            logIn(page, dora);
            find(page, "h1", "Activities");
            page.get(lottery().address() + "/");
            find(page, ".who", ann);
            page.get(management() + "/console");
            find(page, ".who", dora);
            click(page, ".self button", "Log out");
            find(page, "h1", "Log in");
            page.get(lottery().address() + "/");
            find(page, ".who", ann);
        } finally {
            page.quit();
        }
    }
}
