package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** A page in a real Chromium, as a person uses it. */
final class BrowserPage {

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Duration WARM_MAX = Duration.ofMinutes(3);
    private static final int WARM_READS = 20;
    private static final Path BROWSER = Path.of("/usr/bin/chromium");
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
    private static final Path SCREENSHOTS = Path.of("target/screenshots");

    /**
     * Repeats each read that is answered with 503. On a busy machine a read model may be more than two seconds behind
     * what the page has done, and the page asks only once. A repeated read has one more parameter, so that the log of
     * the browser shows what the page itself asks for twice.
     */
    private static final String PATIENCE = """
            {
                const real = window.fetch;
                window.unanswered = new Set();
                window.fetch = async (address, options = {}) => {
                    const path = address.replace(/[?&]after=[0-9]+/, '');
                    const isRead = (options.method ?? 'GET') === 'GET';
                    let answer = await real(address, options);
                    for (let again = 1; answer.status === 503; again++) {
                        window.unanswered.add(path);
                        if (!isRead || again > 30) return answer;
                        await new Promise((done) => setTimeout(done, 1_000));
                        const repeated = `${address}${address.includes('?') ? '&' : '?'}again=${again}`;
                        answer = await real(repeated, {...options, signal: AbortSignal.timeout(15_000)});
                    }
                    if (answer.ok) window.unanswered.delete(path);
                    return answer;
                };
            }""";

    private BrowserPage() {}

    /**
     * Logs in and reads until a process has answered twenty times in a row. A session waits 200 ms for Redis, and a
     * process that has just begun may take longer.
     */
    static void warmUp(String address, String name, String password) {
        try (HttpClient http = HttpClient.newHttpClient()) {
            ConditionFactory untilWarm = await().atMost(WARM_MAX).ignoreExceptionsInstanceOf(IOException.class);
            untilWarm.until(() -> {
                HttpResponse<String> login = http.send(
                        HttpRequest.newBuilder(URI.create(address + "/api/v1/session"))
                                .timeout(SOON)
                                .header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString(
                                        "{\"name\": \"%s\", \"password\": \"%s\"}".formatted(name, password)))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
                String cookies = login.headers().allValues("Set-Cookie").stream()
                        .map(cookie -> cookie.split(";", 2)[0])
                        .collect(Collectors.joining("; "));
                HttpRequest read = HttpRequest.newBuilder(URI.create(address + "/api/v1/session"))
                        .timeout(SOON)
                        .header("Cookie", cookies)
                        .build();
                int answered = 0;
                while (answered < WARM_READS
                        && http.send(read, HttpResponse.BodyHandlers.discarding())
                                        .statusCode()
                                == 200) {
                    answered++;
                }
                return answered == WARM_READS;
            });
        }
    }

    /** Opens a browser; a machine without one skips the test. */
    static ChromeDriver open(String language) {
        assumeTrue(
                Files.isExecutable(BROWSER) && Files.isExecutable(DRIVER),
                "chromium and chromium-driver are not installed");
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        ChromeOptions options = new ChromeOptions()
                .setBinary(BROWSER.toString())
                .addArguments("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1280,900")
                // Without this, Chromium simulates a graphics card, which takes much processor time.
                .addArguments("--disable-gpu")
                .addArguments("--lang=" + language);
        options.setExperimentalOption("prefs", Map.of("intl.accept_languages", language));
        options.setCapability("goog:loggingPrefs", logs);
        ChromeDriver page = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(DRIVER.toFile())
                        .build(),
                options);
        bePatient(page);
        return page;
    }

    /** Opens another tab, and goes on there. */
    static void openTab(ChromeDriver page) {
        page.switchTo().newWindow(WindowType.TAB);
        bePatient(page);
    }

    private static void bePatient(ChromeDriver page) {
        page.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", PATIENCE));
    }

    /**
     * Waits for something that a page shows. The page renders again at any moment, and then an element that was found
     * is gone. In this case the condition is checked again.
     */
    static ConditionFactory awaitPage() {
        return await().atMost(SOON).ignoreException(StaleElementReferenceException.class);
    }

    /** Returns an element as soon as it is there. It may be gone at once: to use it, call the other methods. */
    static WebElement find(ChromeDriver page, String selector, String text) {
        return find(page, selector, text, SOON);
    }

    /** Returns an element as soon as it is there, if that is within this time. */
    static WebElement find(ChromeDriver page, String selector, String text, Duration max) {
        return awaitPage()
                .atMost(max)
                .until(
                        () -> page.findElements(By.cssSelector(selector)).stream()
                                .filter(element -> element.isEnabled()
                                        && element.isDisplayed()
                                        && element.getText().contains(text)
                                        && element.getDomAttribute("aria-disabled") == null)
                                .findFirst()
                                .orElse(null),
                        element -> element != null);
    }

    static void click(ChromeDriver page, String selector, String text) {
        awaitPage().until(() -> {
            find(page, selector, text).click();
            return true;
        });
    }

    static void press(ChromeDriver page, String selector, String text, Keys key) {
        awaitPage().until(() -> {
            find(page, selector, text).sendKeys(key);
            return true;
        });
    }

    /** Returns the whole text of an element that contains this text. */
    static String text(ChromeDriver page, String selector, String text) {
        return awaitPage().until(() -> find(page, selector, text).getText(), shown -> shown.contains(text));
    }

    /** Notes from now on what an element says, even if it says that for a moment only. */
    static void listen(ChromeDriver page, String selector) {
        page.executeScript("""
                const selector = arguments[0];
                const heard = window.heard = new Set();
                new MutationObserver(() => heard.add(document.querySelector(selector)?.textContent))
                    .observe(document.body, {subtree: true, childList: true, characterData: true});""", selector);
    }

    /** Waits until the element has said this, whatever it says now. */
    static void awaitHeard(ChromeDriver page, String text) {
        awaitPage()
                .until(
                        () -> String.valueOf(page.executeScript("return [...window.heard].join()")),
                        heard -> heard.contains(text));
    }

    static void shoot(ChromeDriver page, String name) throws IOException {
        Files.createDirectories(SCREENSHOTS);
        Files.write(SCREENSHOTS.resolve(name + ".png"), page.getScreenshotAs(OutputType.BYTES));
    }

    /** Makes the window that of a phone whose owner likes it dark. */
    static void asDarkPhone(ChromeDriver page) {
        page.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", 390, "height", 844, "deviceScaleFactor", 2, "mobile", true));
        page.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", "dark"))));
    }

    /** Makes the network as slow as that of an old phone in the country: 400 ms, and 50 kB a second. */
    static void onSlowNetwork(ChromeDriver page) {
        network(page, false);
    }

    /** Takes the network away. */
    static void onNoNetwork(ChromeDriver page) {
        network(page, true);
    }

    private static void network(ChromeDriver page, boolean isAway) {
        page.executeCdpCommand("Network.enable", Map.of());
        page.executeCdpCommand(
                "Network.emulateNetworkConditions",
                Map.of("offline", isAway, "latency", 400, "downloadThroughput", 50_000, "uploadThroughput", 50_000));
    }

    /** Types into a field instead of what is there. */
    static void type(ChromeDriver page, String selector, String text) {
        awaitPage().until(() -> {
            WebElement field = find(page, selector, "");
            field.clear();
            field.sendKeys(text);
            return true;
        });
    }

    /** Each control has a name for people who do not see it, and the browser has nothing to complain about. */
    static void requireSound(ChromeDriver page, String... accepted) {
        Object nameless = page.executeScript("""
                const named = e => e.getAttribute('aria-label') || e.textContent.trim() || e.closest('label')?.textContent.trim();
                const shown = e => e.checkVisibility();
                return [...document.querySelectorAll('button, a, input, select, textarea, summary')].filter(shown).filter(e => !named(e))
                    .concat([...document.querySelectorAll('[role=img]:not([aria-label]), img:not([alt]), section:not([aria-labelledby])')]
                        .filter(e => shown(e) && !e.classList.contains('hero')))
                    .concat([...document.querySelectorAll('dialog[open]')]
                        .filter(e => !document.getElementById(e.getAttribute('aria-labelledby'))))
                    .map(e => e.outerHTML)
                    .concat(document.title && document.documentElement.lang ? [] : ['no title or language']);""");
        assertThat(nameless).isEqualTo(List.of());
        List<String> complaints = page.manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(LogEntry::getMessage)
                .filter(message -> Stream.of(accepted).noneMatch(message::contains))
                .toList();
        assertThat(complaints).allMatch(BrowserPage::isBusy);
        await("an answer instead of each 503")
                .atMost(SOON)
                .until(() -> page.executeScript("return [...window.unanswered ?? []]"), List.of()::equals);
        assertThat(complaints)
                .filteredOn(message -> message.contains("after="))
                .as("asked for again and again")
                .doesNotHaveDuplicates();
    }

    /** A busy machine may not answer at once, or not yet with what the page has done. */
    private static boolean isBusy(String message) {
        return message.contains("/api/") && message.contains("a status of 503");
    }

    static void requireNoSideways(ChromeDriver page) {
        assertThat(page.executeScript("return document.documentElement.scrollWidth <= innerWidth"))
                .isEqualTo(true);
    }
}
