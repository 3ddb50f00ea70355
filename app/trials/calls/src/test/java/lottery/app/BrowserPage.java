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
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** A page in a real Chromium, as a person uses it. */
final class BrowserPage {

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final int WARM_READS = 20;
    private static final Path BROWSER = Path.of("/usr/bin/chromium");
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
    private static final Path SCREENSHOTS = Path.of("target/screenshots");

    private BrowserPage() {}

    /**
     * Logs in and reads until a process has answered twenty times in a row. A session waits 200 ms for Redis, and a
     * process that has just begun may take longer.
     */
    static void warmUp(String address, String name, String password) {
        try (HttpClient http = HttpClient.newHttpClient()) {
            await().atMost(SOON).until(() -> {
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
        return new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(DRIVER.toFile())
                        .build(),
                options);
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
        return awaitPage()
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
        assertThat(complaints).allMatch(BrowserPage::isTooEarly);
        assertThat(complaints).as("asked for again and again").doesNotHaveDuplicates();
    }

    /**
     * On a busy machine a read model may be two seconds behind what the page has done. Then the page asks once more,
     * for what there is.
     */
    private static boolean isTooEarly(String message) {
        return message.contains("after=") && message.contains("a status of 503");
    }

    static void requireNoSideways(ChromeDriver page) {
        assertThat(page.executeScript("return document.documentElement.scrollWidth <= innerWidth"))
                .isEqualTo(true);
    }
}
