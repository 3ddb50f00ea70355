package lottery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import lottery.Http.Response;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

@DisplayName("An activity that begins soon")
@SpringBootTest(classes = TestLottery.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class WarmUpTest {

    /** Ids that no other test uses: tests share the database. */
    private static final AtomicLong IDS = new AtomicLong(790_000);

    private final Http http;

    private final MeterRegistry meters = new SimpleMeterRegistry();

    @Autowired
    WarmUpTest(@LocalServerPort int port, List<MeterBinder> binders) {
        this.http = new Http(port);
        binders.forEach(binder -> binder.bindTo(meters));
    }

    private long pass(Instant beginsAt) {
        long id = IDS.incrementAndGet();
        Response defined = http.post("/api/v1/strategies", """
                {"strategyId": %d, "mode": "SINGLE", "awards": [
                  {"awardId": 2, "title": "Telephone", "type": "TEXT", "rate": "0.5", "sort": 2, "stock": 10}]}""".formatted(id));
        assertThat(defined.status()).as(defined.text()).isEqualTo(201);
        Response created = http.post("/api/v1/activities", """
                {"activityId": %d, "name": "Fair", "beginsAt": "%s", "endsAt": "2120-01-01T00:00:00+08:00",
                 "strategyId": %d, "participationsMax": 50,
                 "skus": [{"sku": 1, "total": 1, "month": 1, "day": 1, "stock": 20}]}""".formatted(id, beginsAt, id));
        assertThat(created.status()).as(created.text()).isEqualTo(201);
        for (String action : List.of("submit", "pass")) {
            Response done = http.post(
                    "/api/v1/activities/%d/transitions".formatted(id), "{\"action\": \"%s\"}".formatted(action));
            assertThat(done.status()).as(done.text()).isEqualTo(200);
        }
        return id;
    }

    private double warmActivities() {
        return meters.get("lottery.activities.warm").gauge().value();
    }

    @Test
    @DisplayName("Its rules are loaded a minute before, without a draw; those of a later one are not.")
    void warm() {
        pass(Instant.now().plus(Duration.ofHours(1)));
        pass(Instant.now().plus(Duration.ofSeconds(40)));
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(warmActivities()).isPositive());
        assertThat(warmActivities()).isEqualTo(1);
    }
}
