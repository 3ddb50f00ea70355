package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import lottery.app.CommittedContract.Exchange;
import lottery.app.LotteryProcess.Reply;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;

/** Compares the contract with exchanges that are made up; tests of the packaged jar compare it with all of theirs. */
@DisplayName("The committed contract")
class CommittedContractTest {

    private static final CommittedContract CONTRACT = CommittedContract.read();

    private static final String POSITION = "Lottery-Position";
    private static final String ACCOUNT = "/api/v1/activities/100/accounts/ann";
    private static final String RECHARGE = "{\"sku\": 1, \"outBusinessNo\": \"n-1\"}";
    private static final String RECEIPT =
            "{\"rechargeId\": \"recharge:2f-1\", \"state\": \"COMPLETED\", \"total\": 1, \"month\": 1, \"day\": 1}";
    private static final String CHANCES = """
            {"total": {"count": 1, "used": 0, "left": 1}, "month": {"count": 1, "used": 0, "left": 1, "month": "2026-11"},
             "day": {"count": 1, "used": 0, "left": 1, "day": "2026-11-24"}}""";
    private static final String PROBLEM = """
            {"type": "/problems/invalid", "title": "t", "status": 400, "detail": "d", "code": "INVALID",
             "retryable": false, "traceId": "1"}""";

    private static Reply reply(int status, String text, String... headers) {
        HttpHeaders all = new HttpHeaders();
        all.set("Content-Type", status < 300 ? "application/json" : "application/problem+json");
        for (int i = 0; i < headers.length; i += 2) {
            all.set(headers[i], headers[i + 1]);
        }
        return new Reply(status, all, text);
    }

    private static Exchange recharge(String body, Reply reply) {
        return new Exchange(HttpMethod.POST, ACCOUNT + "/recharges", new HttpHeaders(), body, reply);
    }

    private static Exchange get(String path, Reply reply) {
        return new Exchange(HttpMethod.GET, path, new HttpHeaders(), null, reply);
    }

    private static Exchange draw(String key, Reply reply) {
        HttpHeaders sent = new HttpHeaders();
        sent.set("Idempotency-Key", key);
        return new Exchange(HttpMethod.POST, ACCOUNT + "/draws", sent, "", reply);
    }

    static List<Exchange> kept() {
        Reply position = reply(201, RECEIPT, POSITION, "4711");
        return List.of(
                recharge(RECHARGE, position),
                recharge(RECHARGE, reply(200, RECEIPT, POSITION, "4711", "Idempotency-Replayed", "true")),
                recharge("{\"nonsense\": 1}", reply(400, PROBLEM)),
                get(ACCOUNT, reply(200, CHANCES)),
                get(ACCOUNT + "?after=4711", reply(200, CHANCES)),
                get("/api/v1/nothing", reply(404, PROBLEM)),
                get("/actuator/health", reply(200, "whatever it says")));
    }

    @ParameterizedTest
    @MethodSource("kept")
    @DisplayName("The contract allows promised exchanges, refusals of nonsense, and paths that are not its own")
    void keeps(Exchange exchange) {
        assertThat(CONTRACT.breaches(exchange)).isEmpty();
    }

    /**
     * An exchange that breaks the contract.
     *
     * @param says a part of the message
     */
    record Breach(Exchange exchange, String says) {}

    static Stream<Breach> acceptedWrongly() {
        Reply done = reply(201, RECEIPT, POSITION, "4711");
        Reply read = reply(200, CHANCES);
        return Stream.of(
                new Breach(recharge("", done), "accepted without a body"),
                new Breach(recharge("no JSON", done), "request is no JSON"),
                new Breach(recharge("{\"sku\": 1}", done), "required property 'outBusinessNo' not found"),
                new Breach(recharge(RECHARGE.replace("1,", "0,"), done), "must have an exclusive minimum value of 0"),
                new Breach(recharge(RECHARGE.replace("}", ", \"more\": 1}"), done), "property 'more' is not defined"),
                new Breach(get(ACCOUNT + "?after=yesterday", read), "after : string found, integer expected"),
                new Breach(get(ACCOUNT + "?until=4711", read), "no parameter until"),
                new Breach(get("/api/v1/activities/one/accounts/ann", read), "activityId : string found"),
                new Breach(get("/api/v1/activities/100/awards", reply(200, "[]")), "accepted without userId"),
                new Breach(get("/api/v1/nothing", reply(200, "{}")), "no such operation"),
                new Breach(draw("k".repeat(256), reply(201, "{}", POSITION, "1")), "does not match the regex"));
    }

    static Stream<Breach> answeredWrongly() {
        return Stream.of(
                new Breach(recharge(RECHARGE, reply(201, RECEIPT)), "no Lottery-Position"),
                new Breach(recharge(RECHARGE, reply(200, RECEIPT, POSITION, "1")), "no Idempotency-Replayed"),
                new Breach(recharge(RECHARGE, reply(202, RECEIPT, POSITION, "1")), "no such status"),
                new Breach(recharge(RECHARGE, reply(201, RECEIPT, POSITION, "far")), "Lottery-Position : string found"),
                new Breach(
                        recharge(RECHARGE, reply(201, RECEIPT, POSITION, "1", "Content-Type", "text/plain")),
                        "no answer of type text/plain"),
                new Breach(receipt(RECEIPT.replace("\"day\"", "\"days\"")), "required property 'day' not found"),
                new Breach(receipt(RECEIPT.replace("\"day\": 1", "\"day\": \"1\"")), "/day: string found"),
                new Breach(receipt(RECEIPT.replace("COMPLETED", "DONE")), "/state: does not have a value in the enum"),
                new Breach(receipt(RECEIPT.replace("}", ", \"more\": 1}")), "property 'more' is not defined"),
                new Breach(recharge(RECHARGE, reply(400, "{\"error\": \"no\"}")), "required property 'code' not found"),
                new Breach(get("/api/v1/nothing", reply(404, "{}")), "required property 'code' not found"),
                new Breach(
                        get(ACCOUNT, reply(200, CHANCES.replace("-24", "-nn"))), "/day/day: does not match the date"));
    }

    private static Exchange receipt(String text) {
        return recharge(RECHARGE, reply(201, text, POSITION, "4711"));
    }

    @ParameterizedTest
    @MethodSource({"acceptedWrongly", "answeredWrongly"})
    @DisplayName("A request that was accepted wrongly, or an answer that the contract does not know, is a breach")
    void breaks(Breach breach) {
        assertThat(CONTRACT.breaches(breach.exchange()))
                .anySatisfy(found -> assertThat(found).contains(breach.says()));
    }

    @Test
    @DisplayName("A breach says in one sentence what is wrong, and in which exchange")
    void sentence() {
        assertThat(CONTRACT.breaches(recharge(RECHARGE, reply(201, RECEIPT))))
                .containsExactly("POST " + ACCOUNT + "/recharges, answered with 201: it has no Lottery-Position");
    }
}
