package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Objects;
import org.openqa.selenium.Keys;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.interactions.Actions;

/** The keyboard of a person without a mouse. Each key goes to the element that has the focus. */
final class BrowserKeys {

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final int STOPS_MAX = 150;

    private final ChromeDriver page;

    BrowserKeys(ChromeDriver page) {
        this.page = page;
    }

    void send(CharSequence... keys) {
        new Actions(page).sendKeys(keys).perform();
    }

    /** Goes forward, stop by stop, until an element has the focus. Each stop on the way has to be seen. */
    void goTo(String selector, String text) {
        goTo(selector, text, false);
    }

    /** Goes backward. */
    void goBackTo(String selector, String text) {
        goTo(selector, text, true);
    }

    private void goTo(String selector, String text, boolean isBackward) {
        for (int stop = 0; stop < STOPS_MAX; stop++) {
            if (isOn(selector, text)) {
                return;
            }
            if (isBackward) {
                new Actions(page)
                        .keyDown(Keys.SHIFT)
                        .sendKeys(Keys.TAB)
                        .keyUp(Keys.SHIFT)
                        .perform();
            } else {
                send(Keys.TAB);
            }
            requireSeen();
        }
        throw new AssertionError(
                "no key leads to %s with \"%s\"; the focus is on %s".formatted(selector, text, focused()));
    }

    void press(String selector, String text) {
        goTo(selector, text);
        send(Keys.ENTER);
    }

    /** Types into a field instead of what is there. */
    void write(String selector, String text) {
        goTo(selector, "");
        new Actions(page)
                .keyDown(Keys.CONTROL)
                .sendKeys("a")
                .keyUp(Keys.CONTROL)
                .sendKeys(text)
                .perform();
    }

    void awaitFocus(String selector, String text) {
        await().atMost(SOON)
                .alias("the focus on " + selector)
                .until(() -> isOn(selector, text) ? selector : focused(), selector::equals);
    }

    private boolean isOn(String selector, String text) {
        return Boolean.TRUE.equals(page.executeScript("""
                const element = document.activeElement;
                return element.matches(arguments[0])
                    && (element.getAttribute('aria-label') ?? element.textContent).includes(arguments[1]);""", selector, text));
    }

    private String focused() {
        return String.valueOf(page.executeScript("return document.activeElement.outerHTML.slice(0, 200)"));
    }

    /**
     * A ring surrounds the element that has the focus, and nothing covers it. The browser's own buttons are a stop,
     * too.
     */
    private void requireSeen() {
        Object flaw = page.executeScript("""
                const element = document.activeElement;
                if (element === document.body) return null;
                const style = getComputedStyle(element);
                if (style.outlineStyle === 'none' || parseFloat(style.outlineWidth) < 2) return 'no ring: ' + element.outerHTML;
                const box = element.getBoundingClientRect();
                const top = document.elementFromPoint(box.x + box.width / 2, box.y + Math.min(box.height, innerHeight) / 2);
                return element.contains(top) ? null : 'covered: ' + element.outerHTML + ' by ' + top?.outerHTML.slice(0, 100);""");
        assertThat(Objects.toString(flaw, "")).isEmpty();
    }
}
