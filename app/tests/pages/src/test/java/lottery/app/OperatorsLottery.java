package lottery.app;

import static lottery.app.BrowserPage.awaitPage;
import static lottery.app.BrowserPage.click;
import static lottery.app.BrowserPage.find;
import static lottery.app.BrowserPage.type;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import lottery.app.LotteryProcess.Reply;
import lottery.embedded.ReservedPort;
import org.openqa.selenium.By;
import org.openqa.selenium.chrome.ChromeDriver;
import org.springframework.http.HttpMethod;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The lottery that the tests of the page for operators share, and the steps that they have in common. The page is on a
 * management port.
 */
final class OperatorsLottery {

    static final String PASSWORD = "correct horse battery";

    private static final Duration SOON = Duration.ofSeconds(30);

    private static final AtomicInteger NUMBERS = new AtomicInteger(790_000);
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final ReservedPort PORT = reservedPort();
    private static final SharedLottery SHARED = SharedLottery.withIdentity(
            Map.of("LOTTERY_LIMITS_ADDRESS_REQUESTS", "0", "LOTTERY_MANAGEMENT_PORT", Integer.toString(PORT.number())));

    private OperatorsLottery() {}

    private static ReservedPort reservedPort() {
        try {
            return ReservedPort.any();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns when the lottery answers without delay. */
    static void open() throws Exception {
        BrowserPage.warmUp(management(), person("operator"), PASSWORD);
    }

    static LotteryProcess lottery() {
        return SHARED.process();
    }

    static String token(String name, String role) {
        return SHARED.issuer().token(name, role);
    }

    /** Returns a number that no other test of this page uses. */
    static int nextNumber() {
        return NUMBERS.incrementAndGet();
    }

    static String management() {
        return "http://localhost:" + PORT.number();
    }

    static Reply as(String name, String role, HttpMethod method, String path, String body) {
        String token = "Bearer " + token(name, role);
        Reply reply = new Patience()
                .ask(() -> lottery().ask(method, path, body, "Authorization", token, "Idempotency-Key", path));
        assertThat(reply.status()).as(reply.text()).isBetween(200, 299);
        return reply;
    }

    /** Waits until everybody sees that an activity runs. */
    static void awaitRunning(int activity) {
        await().atMost(SOON)
                .until(() -> lottery()
                        .get("/api/v1/activities/" + activity)
                        .json()
                        .path("state")
                        .asString()
                        .equals("DOING"));
    }

    /** Gives an account to somebody who works here. Another administrator agrees, if there is one. */
    static String person(String... roles) throws Exception {
        String name = roles[0] + "-" + nextNumber();
        HttpResponse<String> reply = asAdministrator(
                "root", "PUT", "/accounts/" + name, """
                {"roles": ["%s"], "password": "%s"}""".formatted(String.join("\", \"", roles), PASSWORD));
        if (reply.statusCode() == 202) {
            agreeTo(JSON.readTree(reply.body()));
        }
        return name;
    }

    private static HttpResponse<String> asAdministrator(String name, String method, String path, String body)
            throws Exception {
        HttpResponse<String> reply = HTTP.send(
                HttpRequest.newBuilder(URI.create(management() + "/api/v1/ops" + path))
                        .timeout(SOON)
                        .header("Authorization", "Bearer " + token(name, "admin"))
                        .header("Content-Type", "application/json")
                        .method(method, BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
        assertThat(reply.statusCode()).as(reply.body()).isBetween(200, 299);
        return reply;
    }

    private static void agreeTo(JsonNode proposal) throws Exception {
        String id = proposal.path("proposalId").asString();
        asAdministrator("other", "POST", "/proposals/" + id + "/decision", "{\"decision\": \"AGREE\"}");
    }

    /** Agrees, as another administrator, to the change of an account that waits. */
    static void agreeToChangeOf(String account) throws Exception {
        await().atMost(SOON).until(() -> proposalOf(account).isPresent());
        agreeTo(proposalOf(account).orElseThrow());
    }

    private static Optional<JsonNode> proposalOf(String account) throws Exception {
        return JSON.readTree(asAdministrator("other", "GET", "/proposals?state=PROPOSED&limit=100", "")
                        .body())
                .path("items")
                .valueStream()
                .filter(each -> each.path("action").path("subject").asString().equals("account:" + account))
                .findFirst();
    }

    static void logIn(ChromeDriver page, String name) {
        type(page, "input[name=name]", name);
        type(page, "input[name=password]", PASSWORD);
        click(page, "form.password button", "");
        find(page, ".who", name);
    }

    static void changeTo(ChromeDriver page, String name) {
        click(page, ".self button", "Log out");
        find(page, "form.password", "");
        logIn(page, name);
    }

    static void go(ChromeDriver page, String address) {
        page.executeScript("location.hash = arguments[0]", address);
    }

    /** Looks again until a page shows this, because a read model may be late. */
    static void awaitListed(ChromeDriver page, String lookAgain, String text) {
        awaitPage().until(() -> {
            click(page, ".title button", lookAgain);
            return page.findElement(By.tagName("main")).getText().contains(text);
        });
    }
}
