package lottery.app;

import static lottery.app.BrowserPage.awaitPage;
import static lottery.app.BrowserPage.click;
import static lottery.app.BrowserPage.find;
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
import static lottery.app.OperatorsLottery.lottery;
import static lottery.app.OperatorsLottery.management;
import static lottery.app.OperatorsLottery.nextNumber;
import static lottery.app.OperatorsLottery.person;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.springframework.http.HttpMethod;

/** Tests payments in a real Chromium: a player pays, draws, and gets the money back from the desk. */
@DisplayName("Payments on the pages")
class PaymentsConsoleIT {

    @BeforeAll
    static void open() throws Exception {
        OperatorsLottery.open();
    }

    @Test
    @DisplayName("A player scans, pays, draws, and two people of the desk give the money back")
    void bought() throws Exception {
        String player = person("player");
        int activity = shop();
        ChromeDriver page = BrowserPage.open("en-GB");
        try {
            page.get(lottery().address() + "/#/activities/" + activity);
            logIn(page, player);
            click(page, ".buy.pay", "Five draws for CN¥120.00");
            find(page, "dialog h2", "Five draws for CN¥120.00");
            awaitPage()
                    .until(() -> Long.valueOf(320)
                            .equals(page.executeScript("return document.querySelector('dialog .qr').naturalWidth")));
            find(page, "dialog [role=timer]", "You have 29:");
            shoot(page, "payment");
            requireSound(page);
            String wallet = find(page, "dialog .pay-here", "").getAttribute("href");
            pay(page, wallet, "en");
            find(page, "dialog .payment-state", "Paid. You have your chances.");
            click(page, "dialog .buttons button", "Close");
            find(page, ".chances", "5 chances left");
            click(page, ".draw", "Draw");
            find(page, ".result.won", "Tea");
            requireSound(page);

            click(page, "button.payments", "My payments");
            find(page, "dialog .contents", "tea-guide");
            click(page, "dialog .buttons button", "Close");

            giveBack(player);
            click(page, "button.payments", "My payments");
            awaitPage().until(() -> {
                page.findElement(By.cssSelector("dialog")).sendKeys(Keys.ESCAPE);
                click(page, "button.payments", "My payments");
                return find(page, "dialog .list", "CN¥120.00").getText().contains("You have got your money back.");
            });
            assertThat(page.findElements(By.cssSelector("dialog .contents"))).isEmpty();
            shoot(page, "payments");
            requireSound(page);
        } finally {
            page.quit();
        }
    }

    @Test
    @DisplayName("A payment in Chinese on a phone waits for the player who comes back, and expires without money")
    void inChinese() throws Exception {
        String player = person("player");
        int activity = shop();
        ChromeDriver page = BrowserPage.open("zh-CN");
        try {
            BrowserPage.asDarkPhone(page);
            page.get(lottery().address() + "/#/activities/" + activity);
            logIn(page, player);
            click(page, ".buy.pay", "Five draws：¥120.00");
            find(page, "dialog p", "请扫码付款");
            String wallet = find(page, "dialog .pay-here", "").getAttribute("href");
            requireNoSideways(page);
            shoot(page, "payment-phone");
            page.navigate().refresh();
            click(page, ".buy.pay", "Five draws：¥120.00");
            assertThat(find(page, "dialog .pay-here", "").getAttribute("href")).isEqualTo(wallet);
            page.findElement(By.cssSelector("dialog")).sendKeys(Keys.ESCAPE);
            click(page, "button.payments", "我的支付");
            click(page, "dialog .list button", "付款");
            assertThat(find(page, "dialog .pay-here", "").getAttribute("href")).isEqualTo(wallet);
            pay(page, wallet, "zh-CN");
            find(page, "dialog .payment-state", "支付成功");
            requireSound(page);
        } finally {
            page.quit();
        }
    }

    @Test
    @DisplayName("The desk compares a statement with the trades, and explains what differs")
    void reconciled(@TempDir Path folder) throws Exception {
        String tradeNo = "unknown-" + nextNumber();
        Path statement = Files.writeString(folder.resolve("statement.csv"), """
                tradeNo,kind,amount,currency,paymentNo
                %s,TAKEN,12.50,CNY,
                """.formatted(tradeNo));
        ChromeDriver page = BrowserPage.open("en-GB");
        try {
            page.get(management() + "/console");
            logIn(page, person("desk"));
            go(page, "#/reconciliation");
            String form = "section[aria-labelledby=statement] ";
            type(page, form + "input[name=provider]", "simulator");
            // The keys to type depend on the language of the browser.
            page.executeScript(
                    "document.querySelector(arguments[0]).valueAsDate = new Date()", form + "input[name=day]");
            type(page, form + "input[name=zone]", "Asia/Shanghai");
            page.findElement(By.cssSelector(form + "input[name=file]")).sendKeys(statement.toString());
            click(page, form + "button", "Compare");
            find(page, "section[aria-labelledby=summary]", "Lines: 1. Differences of this day:");
            find(page, ".rows", tradeNo);
            shoot(page, "operators-reconciliation");
            requireSound(page);
            click(page, "button[aria-label*='" + tradeNo + "']", "Explain");
            type(page, "dialog input[name=reason]", "money of the bakery next door");
            click(page, "dialog button", "Explain");
            awaitPage()
                    .until(() ->
                            !page.findElement(By.cssSelector(".rows")).getText().contains(tradeNo));
            requireSound(page);
        } finally {
            page.quit();
        }
    }

    /** Pays in the wallet, in a tab of its own. */
    private static void pay(ChromeDriver page, String wallet, String language) {
        String lottery = page.getWindowHandle();
        page.switchTo().newWindow(WindowType.TAB);
        page.get(wallet);
        assertThat(page.findElement(By.tagName("html")).getAttribute("lang")).isEqualTo(language);
        page.findElement(By.id("pay")).click();
        find(page, "#paid", "");
        page.close();
        page.switchTo().window(lottery);
    }

    private static int shop() {
        int number = nextNumber();
        as("olga", "operator", HttpMethod.POST, "/api/v1/strategies", """
                {"strategyId": %d, "mode": "SINGLE", "awards": [
                  {"awardId": 1, "title": "Tea", "type": "TEXT", "rate": "1", "sort": 1}]}""".formatted(number));
        as("olga", "operator", HttpMethod.POST, "/api/v1/activities", """
                {"activityId": %d, "name": "Shop", "beginsAt": "2020-01-01T00:00:00+08:00",
                 "endsAt": "2120-01-01T00:00:00+08:00", "strategyId": %d,
                 "skus": [{"sku": 1, "title": "Five draws", "total": 5, "month": 5, "day": 5,
                   "entitlement": "tea-guide", "price": {"amount": "120", "currency": "CNY"}}]}""".formatted(number, number));
        String transitions = "/api/v1/activities/" + number + "/transitions";
        as("olga", "operator", HttpMethod.POST, transitions, "{\"action\": \"submit\"}");
        as("paul", "approver", HttpMethod.POST, transitions, "{\"action\": \"pass\"}");
        awaitRunning(number);
        return number;
    }

    /** Gives the money of a player back, which needs two people. */
    private static void giveBack(String player) throws Exception {
        String dora = person("desk");
        String dan = person("desk");
        ChromeDriver page = BrowserPage.open("en-GB");
        try {
            page.get(management() + "/console");
            logIn(page, dora);
            go(page, "#/payments");
            awaitListed(page, "Look again", player);
            click(page, "button[aria-label^='Give the money back: " + player + "']", "Give the money back");
            type(page, "dialog input[name=reason]", "could not play");
            click(page, "dialog button", "Give the money back");
            find(page, ".notice", "second");
            shoot(page, "operators-payments");
            requireSound(page);
            changeTo(page, dan);
            go(page, "#/proposals");
            awaitListed(page, "Look again", "back to " + player);
            click(page, ".proposals button[aria-label*='" + player + "']", "Agree");
            click(page, "dialog button", "Agree");
            go(page, "#/payments");
            awaitListed(page, "Look again", "given back");
            requireSound(page);
        } finally {
            page.quit();
        }
    }
}
