package lottery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import lottery.api.activity.ActivityCommand.PublishSeed;
import lottery.api.activity.ActivityId;
import lottery.fairness.UnpublishedSeedFinder;
import lottery.fairness.UnpublishedSeedFinder.SecretSeed;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;

@DisplayName("Secret seeds in the log")
@SpringBootTest(classes = TestLottery.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class UnpublishedSeedFinderTest {

    private static final String COFFEE = """
            "mode": "SINGLE", "awards": [{"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "1", "sort": 1}]""";

    private final Http http;
    private final JdbcClient database;
    private final EndpointCommandSender commands;
    private final String key;

    @Autowired
    UnpublishedSeedFinderTest(
            @LocalServerPort int port, JdbcClient database, EndpointCommandSender commands, Environment environment) {
        this.http = new Http(port);
        this.database = database;
        this.commands = commands;
        this.key = environment.getRequiredProperty("lottery.seeds.current-key");
    }

    @Test
    @DisplayName("They are found with their keys from the start of a round until its seed is published.")
    void untilPublished() {
        TestActivity activity = TestActivity.open(http, COFFEE);
        assertThat(seedsOf(activity)).containsExactly(seed(activity, 1));

        activity.transition("close");
        assertThat(seedsOf(activity)).as("not published yet").containsExactly(seed(activity, 1));
        activity.transition("open");
        activity.transition("start");
        assertThat(seedsOf(activity)).containsExactly(seed(activity, 1), seed(activity, 2));

        commands.send(new PublishSeed(new ActivityId(activity.id), 1)).orThrow();
        assertThat(seedsOf(activity)).containsExactly(seed(activity, 2));
    }

    private SecretSeed seed(TestActivity activity, int round) {
        return new SecretSeed(key, "activity:%d round %d".formatted(activity.id, round));
    }

    /** Other tests have secret seeds, too. */
    private List<SecretSeed> seedsOf(TestActivity activity) {
        return UnpublishedSeedFinder.in(database).stream()
                .filter(seed -> seed.round().startsWith("activity:" + activity.id + " "))
                .toList();
    }
}
