package lottery.app;

import static lottery.app.BrowserPage.awaitPage;
import static lottery.app.BrowserPage.click;
import static lottery.app.BrowserPage.find;
import static lottery.app.BrowserPage.press;
import static lottery.app.BrowserPage.requireNoSideways;
import static lottery.app.BrowserPage.requireSound;
import static lottery.app.BrowserPage.shoot;
import static lottery.app.BrowserPage.type;
import static lottery.app.OperatorsLottery.PASSWORD;
import static lottery.app.OperatorsLottery.agreeToChangeOf;
import static lottery.app.OperatorsLottery.as;
import static lottery.app.OperatorsLottery.awaitListed;
import static lottery.app.OperatorsLottery.go;
import static lottery.app.OperatorsLottery.logIn;
import static lottery.app.OperatorsLottery.management;
import static lottery.app.OperatorsLottery.nextNumber;
import static lottery.app.OperatorsLottery.person;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.chrome.ChromeDriver;
import org.springframework.http.HttpMethod;

@DisplayName("Accounts and credits on the page for operators")
class OperatorsConsoleAccountsIT {

    private static final Duration SOON = Duration.ofSeconds(30);

    @BeforeAll
    static void open() throws Exception {
        OperatorsLottery.open();
    }

    @Test
    @DisplayName("An approver agrees to a large booking of credits and declines another, and sees what became of them")
    void credits() throws Exception {
        String paula = person("approver");
        String rich = "rich-" + nextNumber();
        String poor = "poor-" + nextNumber();
        for (String user : List.of(rich, poor)) {
            as("shop", "front", HttpMethod.POST, "/api/v1/users/" + user + "/credits/entries", """
                    {"amount": "5000", "businessNo": "gift-%s", "reason": "<img src=x> for %s"}""".formatted(
                            user, user));
        }
        ChromeDriver page = BrowserPage.open("en-US");
        try {
            page.get(management() + "/console");
            logIn(page, paula);
            go(page, "#/proposals");
            find(page, "h1", "Proposals");
            String booking = "Book 5,000 credits for ";
            awaitListed(page, "Look again", booking + rich);
            awaitListed(page, "Look again", booking + poor);
            shoot(page, "proposals");
            click(page, "button[aria-label^='Agree: " + booking + rich + "']", "Agree");
            find(page, "dialog", booking + rich);
            click(page, "dialog button", "Agree");
            find(page, ".notice", "Your decision is noted");
            click(page, "button[aria-label^='Decline: " + booking + poor + "']", "Decline");
            type(page, "dialog input[name=reason]", "Not in the budget");
            click(page, "dialog button", "Decline");
            find(page, ".notice", "Your decision is noted");
            awaitPage()
                    .until(
                            () -> page.findElement(By.cssSelector(".proposals")).getText(),
                            shown -> !shown.contains(rich) && !shown.contains(poor));
            click(page, "select[name=wanted] option", "declined");
            find(page, ".proposals", "Not in the budget");
            find(page, ".proposals", "proposed by shop · decided by " + paula);
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(
                                    as("shop", "front", HttpMethod.GET, "/api/v1/users/" + rich + "/credits", null)
                                            .json()
                                            .path("balance")
                                            .asString())
                            .isEqualTo("5000"));
            assertThat(page.findElements(By.tagName("img"))).isEmpty();
            requireSound(page);
        } finally {
            page.quit();
        }
    }

    @Test
    @DisplayName(
            "An administrator gives, finds, changes and locks accounts in Chinese on a phone, and another one agrees; the desk"
                    + " locks players")
    void accounts() throws Exception {
        String root = person("admin");
        person("admin");
        String dora = person("desk");
        String ann = person("player");
        String name = "tina<b>" + nextNumber();
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
            find(page, ".notice", name + " 的变更需要另一位管理员同意");
            agreeToChangeOf(name);
            newAccount(page, name);
            click(page, "dialog input[value=admin]", "");
            click(page, "dialog button", "保存");
            find(page, "dialog .wrong .problems", "已存在");
            press(page, "dialog h2", "", Keys.ESCAPE);
            type(page, "input[name=beginning]", "tina<b>");
            click(page, "main form button", "查询");
            awaitPage()
                    .until(() -> page.findElements(By.cssSelector(".accounts li .grow")).stream()
                            .allMatch(each -> each.getText().startsWith("tina<b>")));
            click(page, "button[aria-label='编辑: " + name + "']", "编辑");
            click(page, "dialog input[value=approver]", "");
            click(page, "dialog button", "保存");
            find(page, ".notice", "另一位管理员同意");
            agreeToChangeOf(name);
            click(page, "main form button", "查询");
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
            press(page, "dialog h2", "", Keys.ESCAPE);
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
}
