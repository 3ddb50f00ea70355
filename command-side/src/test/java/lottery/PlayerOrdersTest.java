package lottery;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import lottery.Http.Response;
import lottery.store.trace.Actor;
import lottery.store.trace.Actor.AccessScope;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.filter.OncePerRequestFilter;

@DisplayName("A player with a rate of one request a second")
@SpringBootTest(
        classes = {TestLottery.class, PlayerOrdersTest.PlayersByHeader.class},
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = "lottery.limits.player-draws=1")
class PlayerOrdersTest {

    /** More requests than the rate lets through, even if each takes half a second. */
    private static final int REQUESTS = 20;

    private static final int TOO_MANY = 429;

    private static final String COFFEE = """
            "mode": "SINGLE", "awards": [{"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "1", "sort": 1}]""";

    private static final String FREE = """
            "free": {"total": 100, "month": 100, "day": 100}""";

    /** Knows players by a header, as the whole product knows them by their tokens. */
    @Configuration(proxyBeanMethods = false)
    static class PlayersByHeader {

        @Bean
        OncePerRequestFilter players() {
            return new OncePerRequestFilter() {
                @Override
                protected void doFilterInternal(
                        HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                        throws ServletException, IOException {
                    String name = request.getHeader("Player");
                    if (name == null) {
                        chain.doFilter(request, response);
                        return;
                    }
                    try (var _ = Actor.open(new Actor(name, "player", Set.of("player"), AccessScope.OWN))) {
                        chain.doFilter(request, response);
                    }
                }
            };
        }
    }

    private final Http http;
    private final TestActivity activity;

    @Autowired
    PlayerOrdersTest(@LocalServerPort int port) {
        this.http = new Http(port);
        this.activity = TestActivity.open(http, COFFEE, FREE);
    }

    private Response partake(String player) {
        return as(player, activity.account(player) + "/raffle-orders");
    }

    private Response cancel(String player, String order) {
        return as(player, "/api/v1/raffle-orders/" + order + "/cancellation");
    }

    private Response as(String player, String path) {
        return http.post(
                path, "", "Player", player, "Idempotency-Key", UUID.randomUUID().toString());
    }

    private static List<Integer> statuses(Supplier<Response> request) {
        return Stream.generate(request).limit(REQUESTS).map(Response::status).toList();
    }

    @Test
    @DisplayName("A cancellation counts against the rate, even if there is no such order.")
    void cancelling() {
        assertThat(statuses(() -> cancel("ann", "order:33-07226822-d971-81cf-8edd-f6a317c687d5")))
                .startsWith(404)
                .contains(TOO_MANY);
    }

    @Test
    @DisplayName("A request for an order counts against the rate, even if the order is already open.")
    void taking() {
        Response first = partake("ben");
        assertThat(first.status()).as(first.text()).isEqualTo(201);
        assertThat(statuses(() -> partake("ben"))).contains(TOO_MANY);
    }

    @Test
    @DisplayName("A front that acts for players has no rate.")
    void fronts() {
        assertThat(statuses(() -> activity.partake("cat", UUID.randomUUID().toString())))
                .doesNotContain(TOO_MANY);
    }

    @Test
    @DisplayName("A refused cancellation changes nothing, and succeeds when the rate allows it.")
    void later() throws Exception {
        String order = partake("dan").json().path("orderId").asString();
        assertThat(statuses(() -> cancel("dan", "order:33-07226822-d971-81cf-8edd-f6a317c687d5")))
                .contains(TOO_MANY);
        Response cancelled = cancel("dan", order);
        for (int i = 0; cancelled.status() == TOO_MANY && i < REQUESTS; i++) {
            Thread.sleep(200);
            cancelled = cancel("dan", order);
        }
        assertThat(cancelled.status()).as(cancelled.text()).isEqualTo(200);
    }
}
