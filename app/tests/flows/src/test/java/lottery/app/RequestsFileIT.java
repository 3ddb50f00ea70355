package lottery.app;

import static lottery.app.TokenLottery.lottery;
import static lottery.app.TokenLottery.nextNumber;
import static lottery.app.TokenLottery.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import lottery.app.LotteryProcess.Reply;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import tools.jackson.databind.JsonNode;

/**
 * Sends the requests of {@code requests.http} from top to bottom, as an editor does that understands this format. Each
 * exchange has to keep to the contract, except one whose answer has no end.
 */
@DisplayName("The file of requests")
@Order(2)
class RequestsFileIT {

    private static final Path FILE = Path.of("../requests.http");
    /** It covers a simulation of a million draws on a busy machine. */
    private static final Duration SOON = Duration.ofMinutes(2);

    private static final Pattern VARIABLE = Pattern.compile("@(\\w+) = (.*)");
    private static final Pattern NAME = Pattern.compile("# @name (\\w+)");
    private static final Pattern USE = Pattern.compile("\\{\\{([^}]+)}}");
    private static final String ANSWER = ".response.body.";

    /** These requests need something that waits or has failed, and a new lottery has nothing like that. */
    private static final List<String> NEED_MORE = List.of(
            "/ops/parked-events/", "/ops/dead-letters/", "/ops/sagas/", "/ops/award-records/", "/claim", "/1/proof");

    private static final Set<String> ROLES =
            Set.of("front", "payments", "fulfilment", "operator", "approver", "desk", "auditor");

    private static final Map<String, String> VARIABLES = new HashMap<>();
    private static final Map<String, JsonNode> ANSWERS = new HashMap<>();

    private static HttpClient http;

    /** A request as it stands in the file. */
    private record FileRequest(
            String title,
            @Nullable String name,
            String method,
            String target,
            Map<String, String> headers,
            String body) {

        static FileRequest in(String block) {
            List<String> lines = block.lines().toList();
            String name = null;
            String[] first = {};
            Map<String, String> headers = new LinkedHashMap<>();
            int next = 1;
            for (; next < lines.size(); next++) {
                String line = lines.get(next);
                Matcher named = NAME.matcher(line);
                if (named.matches()) {
                    name = named.group(1);
                } else if (first.length == 0 && !line.isBlank() && !line.startsWith("#")) {
                    first = line.split(" ", 2);
                } else if (first.length == 2 && line.isBlank()) {
                    break;
                } else if (first.length == 2) {
                    String[] header = line.split(":", 2);
                    headers.put(header[0], header[1].strip());
                }
            }
            String body =
                    lines.stream().skip(next).collect(Collectors.joining("\n")).strip();
            return new FileRequest(lines.getFirst().strip(), name, first[0], first[1], headers, body);
        }

        /** Returns the codes with which this request may be refused; empty if it has to be done. */
        Set<String> refusals() {
            if (NEED_MORE.stream().anyMatch(target::contains)) {
                return Set.of("NOT_FOUND", "AWARD_STATE");
            }
            // The activity may have started by itself a moment before.
            return body.contains("\"start\"") ? Set.of("ACTIVITY_STATE") : Set.of();
        }

        boolean isRefusal() {
            return title.startsWith("A refusal");
        }

        boolean isEndless() {
            return target.contains("/winners/stream");
        }
    }

    @BeforeAll
    static void open() {
        TokenLottery.open();
        http = HttpClient.newHttpClient();
    }

    @AfterAll
    static void close() {
        http.close();
    }

    @Test
    @DisplayName("is answered from top to bottom, and refused only where it says so or where nothing waits")
    void fromTopToBottom() throws Exception {
        String file = Files.readString(FILE);
        file.lines()
                .map(VARIABLE::matcher)
                .filter(Matcher::matches)
                .forEach(variable -> VARIABLES.put(variable.group(1), variable.group(2)));
        VARIABLES.put("host", "");
        VARIABLES.put("management", "");
        // Other tests have used the name in the file.
        VARIABLES.put("user", "requests-" + nextNumber());
        List<FileRequest> calls =
                Stream.of(file.split("(?m)^###")).skip(1).map(FileRequest::in).toList();
        assertThat(calls).hasSizeGreaterThan(100);
        assertThat(calls)
                .filteredOn(call -> !call.body().isEmpty())
                .allMatch(call -> call.headers().containsKey("Content-Type"));
        for (FileRequest call : calls) {
            // A read model may be a moment behind, and an activity starts within a second.
            await(call.title()).atMost(SOON).untilAsserted(() -> assertAnswered(call));
        }
    }

    private static void assertAnswered(FileRequest call) throws Exception {
        Reply reply = call.isEndless() ? begun(call) : ask(call);
        boolean isRefused = reply.status() >= 400;
        if (!isRefused || !call.refusals().contains(reply.code())) {
            assertThat(reply.status())
                    .as("%s %s: %s", call.method(), call.target(), reply.text())
                    .isBetween(call.isRefusal() ? 400 : 200, call.isRefusal() ? 499 : 299);
        }
        if (!isRefused && MediaType.APPLICATION_JSON.equals(reply.headers().getContentType())) {
            remember(call, reply.json());
        }
    }

    private static void remember(FileRequest call, JsonNode answer) {
        if (call.name() != null) {
            ANSWERS.put(call.name(), answer);
        }
        if ("requests-1".equals(call.headers().get("Idempotency-Key"))) {
            // The ids in the file are those of another user.
            VARIABLES.put("order", answer.path("orderId").asString());
            VARIABLES.put("awardRecord", answer.path("awardRecordId").asString());
        }
    }

    private static Reply ask(FileRequest call) {
        return lottery()
                .ask(
                        HttpMethod.valueOf(call.method()),
                        target(call),
                        call.body().isEmpty() ? null : filled(call.body()),
                        headers(call));
    }

    /** Returns the beginning of an answer that has no end. */
    private static Reply begun(FileRequest call) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(lottery().address() + target(call)))
                .timeout(SOON)
                .headers(headers(call))
                .build();
        HttpResponse<InputStream> response = http.send(request, BodyHandlers.ofInputStream());
        response.body().close();
        return new Reply(response.statusCode(), new HttpHeaders(), "");
    }

    private static String target(FileRequest call) {
        return filled(call.target()).replace(" ", "%20");
    }

    private static String[] headers(FileRequest call) {
        return call.headers().entrySet().stream()
                .flatMap(header -> Stream.of(header.getKey(), headerValue(header.getKey(), filled(header.getValue()))))
                .toArray(String[]::new);
    }

    private static String headerValue(String name, String value) {
        return name.equals("Authorization") ? bearer(value) : value;
    }

    /** Returns the token of a user who has the same name and role as with {@code mvn -Drun}. */
    private static String bearer(String basic) {
        String name = basic.split(" ", -1)[1];
        return "Bearer " + token(name, ROLES.contains(name) ? name : "player");
    }

    private static String filled(String text) {
        return USE.matcher(text).replaceAll(use -> Matcher.quoteReplacement(value(use.group(1))));
    }

    private static String value(String name) {
        if (name.equals("$timestamp")) {
            return Long.toString(System.currentTimeMillis());
        }
        if (name.contains(ANSWER)) {
            List<String> parts = List.of(name.split(Pattern.quote(ANSWER), -1));
            return Objects.requireNonNull(ANSWERS.get(parts.getFirst()), name)
                    .path(parts.getLast())
                    .asString();
        }
        return filled(Objects.requireNonNull(VARIABLES.get(name), name));
    }
}
