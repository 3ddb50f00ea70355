package lottery.app;

import static lottery.app.BrowserPage.find;
import static lottery.app.BrowserPage.requireSound;
import static lottery.app.OperatorsLottery.PASSWORD;
import static lottery.app.OperatorsLottery.management;
import static lottery.app.OperatorsLottery.nextNumber;
import static lottery.app.OperatorsLottery.person;

import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;
import org.openqa.selenium.chrome.ChromeDriver;

@DisplayName("The page for operators without a mouse")
class OperatorsConsoleKeysIT {

    @BeforeAll
    static void open() throws Exception {
        OperatorsLottery.open();
    }

    @Test
    @DisplayName("An activity goes from nothing to its end by keys alone, and the focus is never lost")
    void byKeys() throws Exception {
        String olga = person("operator");
        String paul = person("approver");
        int number = nextNumber();
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
}
