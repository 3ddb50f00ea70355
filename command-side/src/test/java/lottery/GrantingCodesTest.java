package lottery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import lottery.Http.Response;
import lottery.api.Answer;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardCommand.GrantCode;
import lottery.api.award.AwardRecordId;
import lottery.api.award.AwardState;
import lottery.api.award.CodePoolId;
import lottery.store.axon.NamedNumberSeries;
import lottery.store.axon.NamedNumberSeries.AssignedNumber;
import lottery.store.command.CommandSender;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

@DisplayName("A won award of a code")
@SpringBootTest(classes = TestLottery.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class GrantingCodesTest {

    private static final String RULES = """
            "mode": "SINGLE", "awards": [{"awardId": 1, "title": "Ticket", "type": "CODE", "rate": "1", "sort": 1}]""";

    private final CommandSender sender;
    private final NamedNumberSeries series;
    private final JdbcClient database;
    private final Http http;
    private final TestActivity activity;
    private final String pool;

    @Autowired
    GrantingCodesTest(CommandSender sender, NamedNumberSeries series, JdbcClient database, @LocalServerPort int port) {
        this.sender = sender;
        this.series = series;
        this.database = database;
        this.http = new Http(port);
        this.activity = TestActivity.open(http, RULES);
        this.pool = "codes:" + activity.id + "/1";
    }

    private List<String> won() {
        return won("true");
    }

    private List<String> grantedWithWin() {
        return won("payload ->> 'grantReference' = replace(aggregate_id, 'award:', 'code:')");
    }

    /** Returns the award records of the activity in the order of the log. */
    private List<String> won(String condition) {
        return database.sql("""
                        SELECT aggregate_id FROM event_readable
                        WHERE type = 'award.won' AND payload ->> 'activityId' = ? AND %s ORDER BY position""".formatted(condition))
                .param(Long.toString(activity.id))
                .query((row, _) -> row.getString(1))
                .list();
    }

    private List<String> holders() {
        return series.above(pool, 0, 1_000).stream().map(AssignedNumber::holder).toList();
    }

    @Test
    @DisplayName("Codes are taken in the commit of the draw, as long as any are left; later awards are handed over.")
    void drawn() {
        series.raise(pool, 2);
        activity.recharge("code-ann");
        Response three = activity.draw("code-ann", "{\"count\": 3}", "three");
        assertThat(three.status()).as(three.text()).isEqualTo(201);
        assertThat(won()).hasSize(3);
        assertThat(grantedWithWin()).isEqualTo(won().subList(0, 2)).isEqualTo(holders());
        assertThat(activity.draw("code-ann", "{\"count\": 3}", "three").status())
                .isEqualTo(200);
        assertThat(holders()).hasSize(2);

        AwardRecordId late = AwardRecordId.of(won().getLast());
        assertThat(grant(late)).isEqualTo(Answer.done(AwardState.REJECTED));
        series.raise(pool, 3);
        assertThat(grant(late)).isEqualTo(Answer.done(AwardState.REJECTED));
        assertThat(holders()).hasSize(2);
    }

    private Answer<AwardState> grant(AwardRecordId id) {
        return sender.send(new GrantCode(id, new CodePoolId(new ActivityId(activity.id), 1)));
    }

    @Test
    @DisplayName("Many draws at once take each code once, and an award without a pool is left to another system.")
    void atOnce() throws Exception {
        IntStream.range(0, 30).forEach(i -> activity.recharge("code-" + i));
        assertThat(activity.draw("code-0", "before").status()).isEqualTo(201);
        assertThat(holders()).isEmpty();
        series.raise(pool, 20);
        // After a draw that has found no code, other draws do not look for one for a second.
        Thread.sleep(1_100);
        assertThat(TestActivity.inParallel(30, i -> TestActivity.insist(() -> activity.draw("code-" + i, "first"))))
                .allMatch(answer -> answer.status() == 201);
        assertThat(won()).hasSize(31);
        assertThat(grantedWithWin()).hasSize(20).isEqualTo(holders());
    }
}
