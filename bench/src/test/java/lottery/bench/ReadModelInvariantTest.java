package lottery.bench;

import static lottery.bench.invariant.CheckMoment.AT_REST;
import static lottery.bench.invariant.CheckMoment.IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("I8: read models are the fold of the events")
class ReadModelInvariantTest extends CheckedHistory {

    @ParameterizedTest
    @CsvSource({
        "total_count,2",
        "total_used,2",
        "month_count,2",
        "month_used,2",
        "day_count,1",
        "day_used,1",
        "day_draws,1"
    })
    @DisplayName("A wrong count of an account violates I8")
    void violatedByAWrongCount(String column, int right) throws SQLException {
        history.sql("UPDATE view_account SET %s = 9 WHERE user_id = 'ann'".formatted(column));
        assertThat(violated(IN_FLIGHT))
                .containsOnly(Map.entry(
                        "I8 view_account",
                        "view_account has %s 9 for 100/ann, the events make it %d".formatted(column, right)));
    }

    @Test
    @DisplayName("A wrong day of the last chance violates I8")
    void violatedByAWrongDay() throws SQLException {
        history.sql("UPDATE view_account SET spent_on = NULL WHERE user_id = 'bob'");
        assertThat(violated(AT_REST))
                .containsOnly(Map.entry(
                        "I8 view_account",
                        "view_account has spent_on nothing for 100/bob, the events make it 2026-12-01"));
    }

    @Test
    @DisplayName("A wrong day of the last draw violates I8")
    void violatedByAWrongDayOfDraws() throws SQLException {
        history.sql("UPDATE view_account SET drawn_on = '2026-11-30' WHERE user_id = 'cat'");
        assertThat(violated(AT_REST))
                .containsOnly(Map.entry(
                        "I8 view_account",
                        "view_account has drawn_on 2026-11-30 for 200/cat, the events make it 2026-12-01"));
    }

    @Test
    @DisplayName("An open order that is forgotten violates I8, and so does a drawn one that is still there")
    void openOrder() throws SQLException {
        accounts.open(8, "28-5", "2026-12-01");
        orders.create("28-5");
        history.count("participations:200", 4);
        history.sql("""
                UPDATE view_account
                SET total_used = 4, month_used = 3, day_used = 3, open_order_id = 'order:28-5', version = 8
                WHERE user_id = 'cat'""");
        assertThat(violated(AT_REST)).isEmpty();
        history.sql("UPDATE view_account SET open_order_id = NULL WHERE user_id = 'cat'");
        assertThat(violated(AT_REST))
                .containsOnly(Map.entry(
                        "I8 view_account",
                        "view_account has open_order_id nothing for 200/cat, the events make it order:28-5"));

        accounts.use(9, "28-5", "2026-12-01");
        orders.drawOfCat(1, "28-5");
        history.sql("""
                UPDATE view_account SET open_order_id = 'order:28-5', day_draws = 4, version = 9
                WHERE user_id = 'cat'""");
        assertThat(violated(AT_REST))
                .containsOnly(Map.entry(
                        "I8 view_account",
                        "view_account has open_order_id order:28-5 for 200/cat, the events make it nothing"));
    }

    @Test
    @DisplayName("A wrong state of a win violates I8")
    void violatedByAWrongState() throws SQLException {
        history.sql("UPDATE view_win SET state = 'DISPATCHED' WHERE award_record_id = 'award:00-1'");
        assertThat(violated(AT_REST))
                .containsOnly(Map.entry(
                        "I8 view_win", "view_win has state DISPATCHED for award:00-1, the events make it GRANTED"));
    }

    @Test
    @DisplayName("A wrong moment of a win violates I8")
    void violatedByAWrongMoment() throws SQLException {
        history.sql(
                "UPDATE view_win SET won_at = won_at + interval '1 microsecond' WHERE award_record_id = 'award:33-1'");
        assertThat(violated(AT_REST))
                .containsOnly(Map.entry(
                        "I8 view_win",
                        "view_win has won_at 2026-11-30T04:00:00.123458Z for award:33-1,"
                                + " the events make it 2026-11-30T04:00:00.123457Z"));
    }

    @ParameterizedTest
    @CsvSource({"grant_at,award:17-7,nothing,2999-12-31T16:00:00.123457Z", "instead_of,award:17-9,nothing,award:17-1"})
    @DisplayName("A missing time violates I8, and so does a missing award that a win makes good for")
    void violatedByAMissingColumn(String column, String win, String found, String right) throws SQLException {
        history.sql("UPDATE view_win SET %s = NULL WHERE award_record_id = '%s'".formatted(column, win));
        assertThat(violated(AT_REST))
                .containsOnly(Map.entry(
                        "I8 view_win",
                        "view_win has %s %s for %s, the events make it %s".formatted(column, found, win, right)));
    }

    @Test
    @DisplayName("A step for an event that leads to no other state violates I8")
    void violatedByAStepThatIsNone() throws SQLException {
        history.sql(
                "UPDATE view_win SET steps = replace(steps, ', DISPATCHED', ', WON 2026-11-30T04:00:01Z, DISPATCHED')"
                        + " WHERE award_record_id = 'award:17-4'");
        assertThat(violated(IN_FLIGHT))
                .containsOnly(Map.entry(
                        "I8 view_win",
                        "view_win has steps WON 2026-11-30T04:00:00.123457Z, WON 2026-11-30T04:00:01Z, DISPATCHED"
                                + " 2026-11-30T04:00:01Z, GRANTED 2026-11-30T04:00:01Z for award:17-4, the events"
                                + " make it WON 2026-11-30T04:00:00.123457Z, DISPATCHED 2026-11-30T04:00:01Z,"
                                + " GRANTED 2026-11-30T04:00:01Z"));
    }

    @Test
    @DisplayName("A row that has not seen a release or a claim violates I8 at rest")
    void violatedByARowThatHasNotSeenAClaim() throws SQLException {
        awards.answer("dan", "17-6", 1, "award.claimed", "");
        assertThat(violated(AT_REST))
                .containsEntry("I8 view_win", "view_win has seen events up to 0 of award:17-6, which goes on to 1");
        history.sql("UPDATE view_win SET version = 1 WHERE award_record_id = 'award:17-6'");
        assertThat(violated(IN_FLIGHT)).isEmpty();
        assertThat(violated(AT_REST)).containsOnlyKeys("I6");
    }

    @Test
    @DisplayName("A wrong step violates I8")
    void violatedByAWrongStep() throws SQLException {
        history.sql("UPDATE view_win SET steps = replace(steps, 'REJECTED', 'GRANTED')"
                + " WHERE award_record_id = 'award:00-2'");
        assertThat(violated(AT_REST))
                .containsOnly(Map.entry(
                        "I8 view_win",
                        "view_win has steps WON 2026-11-30T04:00:00.123457Z, GRANTED 2026-11-30T04:00:01Z, ON_DESK"
                                + " 2026-11-30T04:00:01Z for award:00-2, the events make it WON"
                                + " 2026-11-30T04:00:00.123457Z, REJECTED 2026-11-30T04:00:01Z, ON_DESK"
                                + " 2026-11-30T04:00:01Z"));
    }

    @Test
    @DisplayName("An activity that is described otherwise, however little, violates I8")
    void violatedByAnotherDefinition() throws SQLException {
        history.sql("""
                UPDATE view_activity SET definition = replace(definition, '2027-11-22', '2027-11-23')
                WHERE activity_id = 300""");
        assertThat(violated(AT_REST)).containsOnlyKeys("I8 view_activity");
    }

    @Test
    @DisplayName("A commitment that an activity shows otherwise violates I8")
    void violatedByAnotherCommitment() throws SQLException {
        history.sql("UPDATE view_activity SET rounds = replace(rounds, '6668', '6669') WHERE activity_id = 100");
        assertThat(violated(AT_REST)).containsOnlyKeys("I8 view_activity");
    }

    @Test
    @DisplayName("An award that is shown as held, and was not held, violates I8")
    void violatedByAHeldAward() throws SQLException {
        history.sql("UPDATE view_activity SET held_awards = '101' WHERE activity_id = 100");
        assertThat(violated(AT_REST)).containsOnlyKeys("I8 view_activity");
    }

    @Test
    @DisplayName("A wrong state of an activity violates I8")
    void violatedByAWrongActivity() throws SQLException {
        history.sql("UPDATE view_activity SET state = 'CLOSED'");
        assertThat(violated(AT_REST))
                .containsOnly(Map.entry(
                        "I8 view_activity", "view_activity has state CLOSED for 100, the events make it DOING"));
    }

    @Test
    @DisplayName("A decision with another actor, or without a row, violates I8")
    void violatedByAnotherActor() throws SQLException {
        history.sql("UPDATE view_audit SET actor = 'nobody'");
        assertThat(violated(AT_REST)).containsOnlyKeys("I8 view_audit");
        history.sql("DELETE FROM view_audit");
        assertThat(violated(AT_REST)).containsOnlyKeys("I8 view_audit");
    }

    @ParameterizedTest
    @CsvSource({
        "state,AGREED,PROPOSED",
        "expires_at,2026-12-08T04:00:00.000000Z,2026-12-07T04:00:00.000000Z",
        "made_position,1,93"
    })
    @DisplayName("A proposal that is shown otherwise violates I8")
    void violatedByAnotherProposal(String column, String wrong, String right) throws SQLException {
        proposed();
        assertThat(violated(AT_REST)).isEmpty();
        history.sql("UPDATE view_proposal SET %s = '%s'".formatted(column, wrong));
        assertThat(violated(IN_FLIGHT))
                .containsOnly(Map.entry(
                        "I8 view_proposal",
                        "view_proposal has %s %s for proposal:3e-1, the events make it %s"
                                .formatted(column, wrong, right)));
    }

    @Test
    @DisplayName("A proposal keeps I8 when its row has the decision, and violates it at rest before")
    void decidedProposal() throws SQLException {
        proposed();
        history.event("proposal:3e-1", 1, "proposal.declined", """
                {"proposalId": "proposal:3e-1", "userId": "eve", "declinedBy": "paul", "reason": "Too much"}""");
        assertThat(violated(IN_FLIGHT)).isEmpty();
        assertThat(violated(AT_REST)).containsOnlyKeys("I8 view_proposal");
        history.sql("""
                UPDATE view_proposal SET state = 'DECLINED', position = 94""");
        assertThat(violated(AT_REST)).isEmpty();
        history.sql("DELETE FROM view_proposal");
        assertThat(violated(AT_REST)).containsOnlyKeys("I8 view_proposal");
    }

    private void proposed() throws SQLException {
        history.event("proposal:3e-1", 0, "proposal.made", """
                {"proposalId": "proposal:3e-1", "userId": "eve", "action": {"kind": "VOID_AWARD"}, "proposedBy": "olga",
                 "expiresAt": "2026-12-07T04:00:00Z"}""");
        history.sql("""
                INSERT INTO view_proposal VALUES ('proposal:3e-1', 'PROPOSED', '2026-12-07T04:00:00Z', 93, 93)""");
    }

    @Test
    @DisplayName("A wrong award violates I8")
    void violatedByAWrongAward() throws SQLException {
        history.sql("UPDATE view_award SET locked_until_draws = 0");
        assertThat(violated(AT_REST))
                .containsOnly(Map.entry(
                        "I8 view_award", "view_award has locked_until_draws 0 for 7/1/102, the events make it 2"));
    }

    @Test
    @DisplayName("The awards of each version keep I8, and an award that a version does not have violates it")
    void newestVersion() throws SQLException {
        history.event("strategy:7", 1, "strategy.revised", """
                {"strategyId":7,"version":2,"definition":{"awards":[\
                {"awardId":102,"title":"Opera","type":"TEXT","rate":"0.1","sort":2,"lockedUntilDraws":0,"stock":5}]}}""");
        assertThat(violated(AT_REST)).containsOnlyKeys("I8 view_award");
        history.sql("INSERT INTO view_award VALUES (7, 2, 102, 'Opera', NULL, 'TEXT', 2, 0, 5, NULL, 0)");
        assertThat(violated(AT_REST)).isEmpty();
        history.sql("INSERT INTO view_award VALUES (7, 2, 101, 'Coffee', NULL, 'TEXT', 1, 0, NULL, NULL, 0)");
        assertThat(violated(AT_REST)).containsOnlyKeys("I8 view_award");
    }

    @Test
    @DisplayName("A row that no event made violates I8")
    void violatedByARowThatNoEventMade() throws SQLException {
        history.sql(
                "INSERT INTO view_account VALUES (100, 'zoe', 1, 0, 1, 0, 1, 0, NULL, NULL, NULL, 0, false, '', 0, 1)");
        assertThat(violated(IN_FLIGHT))
                .containsOnly(Map.entry(
                        "I8 view_account",
                        "view_account has a row for 100/zoe up to event 0 of it, which does not exist"));
    }

    @Test
    @DisplayName("A row that is ahead of the events violates I8")
    void violatedByARowThatIsAheadOfTheEvents() throws SQLException {
        history.sql("UPDATE view_account SET version = 7 WHERE user_id = 'ann'");
        assertThat(violated(AT_REST))
                .containsOnly(Map.entry(
                        "I8 view_account",
                        "view_account has a row for 100/ann up to event 7 of it, which does not exist"));
    }

    @Test
    @DisplayName("A row that is missing violates I8 at rest")
    void violatedAtRestByARowThatIsMissing() throws SQLException {
        history.sql("DELETE FROM view_win WHERE award_record_id = 'award:00-2'");
        assertThat(violated(AT_REST)).containsOnly(Map.entry("I8 view_win", "view_win has no row for award:00-2"));
        assertThat(violated(IN_FLIGHT)).isEmpty();
        assertThat(verdict("I8 view_win", IN_FLIGHT).remark()).isEqualTo("1 rows behind");
    }

    @Test
    @DisplayName("A row that lags behind violates I8 at rest")
    void violatedAtRestByARowThatLagsBehind() throws SQLException {
        accounts.recharge(AccountEvents.ANN, 3, "ann", 1, 1, 1);
        assertThat(violated(AT_REST))
                .containsOnly(Map.entry(
                        "I8 view_account", "view_account has seen events up to 2 of 100/ann, which goes on to 3"));
        assertThat(violated(IN_FLIGHT)).isEmpty();
    }

    @Test
    @DisplayName("A row that lags behind and is not what it has seen violates I8")
    void checksARowThatLagsBehindAgainstTheEventsItHasSeen() throws SQLException {
        accounts.recharge(AccountEvents.ANN, 3, "ann", 1, 1, 1);
        history.sql("UPDATE view_account SET total_count = 3 WHERE user_id = 'ann'");
        assertThat(violated(IN_FLIGHT))
                .containsOnly(Map.entry(
                        "I8 view_account", "view_account has total_count 3 for 100/ann, the events make it 2"));
    }
}
