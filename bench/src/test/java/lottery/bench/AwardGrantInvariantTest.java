package lottery.bench;

import static lottery.bench.invariant.CheckMoment.AT_REST;
import static lottery.bench.invariant.CheckMoment.IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("I6: each win comes to one end")
class AwardGrantInvariantTest extends CheckedHistory {

    /** All fields that an event about an award may have. */
    private static final String MORE = ",\"reference\":\"r\",\"reason\":\"x\",\"attempt\":1,"
            + "\"by\":\"SUBSTITUTE\",\"substitute\":\"award:33-9\"";

    /** The field that makes a win a granted one. */
    private static final String GRANTED = ",\"grantReference\":\"text:33-3\"";

    /** Adds the events 93 to 97: a win of Ann. */
    private void annWins(int award, String grant) throws SQLException {
        accounts.recharge(AccountEvents.ANN, 3, "ann", 1, 1, 1);
        accounts.spend(AccountEvents.ANN, 4, "ann", "33-3", "2026-11-30");
        orders.draw("ann", "33-3", "WON", award);
        awards.win(0, "ann", "33-3", award, grant);
        if (award != AwardEvents.COFFEE) {
            history.count("award:100/" + award, award == AwardEvents.CINEMA ? 2 : 1);
        }
    }

    /** Adds the events from 98 on, which happen to that win. */
    private void goesOn(String... names) throws SQLException {
        for (int i = 0; i < names.length; i++) {
            awards.answer("ann", "33-3", i + 1, names[i], MORE);
        }
    }

    private void violatedOnly(String words) throws SQLException {
        assertThat(violated(IN_FLIGHT)).containsOnly(Map.entry("I6", words));
    }

    @Test
    @DisplayName("Wins that are in flight, that wait, or that are on the desk keep I6, and are counted")
    void countsWhatIsInFlight() throws SQLException {
        annWins(AwardEvents.COFFEE, AwardEvents.AT_ONCE);
        assertThat(verdict("I6", IN_FLIGHT).remark()).isEqualTo("1 in flight, 2 waiting, 1 on the desk");
        assertThat(violated(IN_FLIGHT)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "WON,97,",
        "DISPATCHED,98,award.dispatched",
        "DISPATCH_FAILED,98,award.dispatch-failed",
        "REJECTED,99,award.dispatched award.grant-rejected",
        "REJECTED,99,award.left-to-desk award.grant-rejected"
    })
    @DisplayName("A win that comes to no end violates I6 at rest")
    void noEnd(String state, int since, @Nullable String names) throws SQLException {
        annWins(AwardEvents.COFFEE, AwardEvents.AT_ONCE);
        goesOn(names == null ? new String[0] : names.split(" ", -1));
        assertThat(violated(AT_REST))
                .containsEntry("I6", "award:33-3 is %s since event %d and comes to no end".formatted(state, since));
        assertThat(violated(IN_FLIGHT)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "award.granted",
                "award.dispatch-failed award.dispatch-failed award.dispatched award.granted",
                "award.left-to-desk",
                "award.grant-rejected award.left-to-desk",
                "award.grant-rejected award.left-to-desk award.granted",
                "award.left-to-desk award.grant-rejected award.left-to-desk"
            })
    @DisplayName("A win that is granted or on the desk keeps I6 at rest")
    void end(String names) throws SQLException {
        annWins(AwardEvents.COFFEE, AwardEvents.AT_ONCE);
        goesOn(names.split(" ", -1));
        assertThat(violated(AT_REST)).doesNotContainKey("I6");
        assertThat(violated(IN_FLIGHT)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "GRANTED,98,award.granted award.granted",
        "GRANTED,98,award.granted award.grant-rejected",
        "GRANTED,98,award.granted award.dispatched",
        "GRANTED,98,award.granted award.dispatch-failed",
        "GRANTED,98,award.granted award.left-to-desk",
        "GRANTED,98,award.granted award.released",
        "REJECTED,98,award.grant-rejected award.granted",
        "REJECTED,98,award.grant-rejected award.grant-rejected",
        "REJECTED,98,award.grant-rejected award.dispatched",
        "DISPATCHED,98,award.dispatched award.dispatched",
        "DISPATCHED,98,award.dispatched award.dispatch-failed",
        "DISPATCHED,98,award.dispatched award.claimed",
        "ON_DESK,98,award.left-to-desk award.left-to-desk",
        "ON_DESK,98,award.left-to-desk award.dispatched"
    })
    @DisplayName("An event that cannot happen any more violates I6")
    void tooLate(String state, int since, String names) throws SQLException {
        annWins(AwardEvents.COFFEE, AwardEvents.AT_ONCE);
        String[] each = names.split(" ", -1);
        goesOn(each);
        violatedOnly("award:33-3 is %s since event %d and goes on with %s at event %d"
                .formatted(state, since, each[1], since + 1));
    }

    @ParameterizedTest
    @CsvSource({
        "17-1,4,COMPENSATED,36,award.granted",
        "17-1,4,COMPENSATED,36,award.grant-rejected",
        "17-1,4,COMPENSATED,36,award.left-to-desk",
        "17-3,2,FORFEITED,49,award.claimed",
        "17-3,2,FORFEITED,49,award.forfeited",
        "17-3,2,FORFEITED,49,award.granted"
    })
    @DisplayName("An event after an award was compensated or forfeited violates I6")
    void afterItsEnd(String key, int sequence, String state, int since, String name) throws SQLException {
        awards.answer("dan", key, sequence, name, "");
        violatedOnly(
                "award:%s is %s since event %d and goes on with %s at event 93".formatted(key, state, since, name));
    }

    @Test
    @DisplayName("An award that is granted and compensated by another one violates I6")
    void grantedAndMadeGoodFor() throws SQLException {
        awards.winInsteadOf("award:17-4", "17-8", 300, "dan");
        awards.answer("dan", "17-4", 5, "award.compensated", substitute("award:17-8"));
        violatedOnly("award:17-4 is GRANTED since event 56 and goes on with award.compensated at event 94");
    }

    private static String substitute(String award) {
        return ",\"by\":\"SUBSTITUTE\",\"substitute\":\"%s\"".formatted(award);
    }

    @Test
    @DisplayName("A win that is granted where it is won keeps I6 at rest, and nothing can happen to it then")
    void grantedWithTheWin() throws SQLException {
        annWins(AwardEvents.COFFEE, AwardEvents.AT_ONCE + GRANTED);
        assertThat(violated(AT_REST)).doesNotContainKey("I6");
        goesOn("award.granted");
        violatedOnly("award:33-3 is GRANTED since event 97 and goes on with award.granted at event 98");
    }

    @Test
    @DisplayName("A win that is granted where it is won and has to be handed over violates I6")
    void grantedThoughToBeHandedOver() throws SQLException {
        annWins(AwardEvents.COFFEE, AwardEvents.ON_RELEASE + GRANTED);
        violatedOnly("award:33-3 is granted at event 97, where it is won, although somebody has to hand it over");
        history.restore();
        annWins(AwardEvents.BICYCLE, AwardEvents.AT_ONCE + GRANTED);
        violatedOnly("award:33-3 is granted at event 97, where it is won, although somebody has to hand it over");
    }

    @Test
    @DisplayName("A second rejection violates I6, whatever was between them")
    void rejectedTwice() throws SQLException {
        annWins(AwardEvents.COFFEE, AwardEvents.AT_ONCE);
        goesOn("award.grant-rejected", "award.left-to-desk", "award.grant-rejected");
        violatedOnly("award:33-3 is rejected at event 98 and again at event 100");
    }

    @ParameterizedTest
    @ValueSource(strings = {"award.released", "award.claimed", "award.address-erased", "award.forfeited"})
    @DisplayName("A release, claim, erasure or forfeit for which the award does not wait violates I6")
    void notWaiting(String name) throws SQLException {
        annWins(AwardEvents.COFFEE, AwardEvents.AT_ONCE);
        goesOn(name);
        violatedOnly("award:33-3 has %s at event 98 and does not wait for that".formatted(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"award.released award.released", "award.claimed award.claimed"})
    @DisplayName("A second release violates I6, and so does a second claim")
    void again(String names) throws SQLException {
        annWins(AwardEvents.BICYCLE, AwardEvents.ON_RELEASE);
        String[] each = names.split(" ", -1);
        goesOn(each);
        violatedOnly("award:33-3 has %s at event 99 and does not wait for that".formatted(each[1]));
    }

    @Test
    @DisplayName("An award whose address was erased is claimed again, or forfeited. A second erasure violates I6")
    void erased() throws SQLException {
        annWins(AwardEvents.BICYCLE, AwardEvents.AT_ONCE);
        goesOn(
                "award.claimed",
                "award.address-erased",
                "award.claimed",
                "award.address-erased",
                "award.address-erased");
        violatedOnly("award:33-3 has award.address-erased at event 102 and does not wait for that");
    }

    @Test
    @DisplayName("A dispatched award that waits for a claim again violates I6: its parcel may be on its way")
    void erasedOnItsWay() throws SQLException {
        annWins(AwardEvents.BICYCLE, AwardEvents.AT_ONCE);
        goesOn("award.claimed", "award.dispatched", "award.address-erased");
        violatedOnly("award:33-3 is DISPATCHED since event 99 and goes on with award.address-erased at event 100");
    }

    @Test
    @DisplayName("An award that is forfeited after its claim violates I6")
    void claimedAndForfeited() throws SQLException {
        annWins(AwardEvents.BICYCLE, AwardEvents.AT_ONCE);
        goesOn("award.claimed", "award.forfeited");
        history.count("award:100/103", 0);
        violatedOnly("award:33-3 has award.forfeited at event 99 and does not wait for that");
    }

    @Test
    @DisplayName("A win keeps I6 at rest until it is both released and claimed, and violates it then")
    void bothReleasedAndClaimed() throws SQLException {
        annWins(AwardEvents.BICYCLE, AwardEvents.ON_RELEASE);
        assertThat(violated(AT_REST)).doesNotContainKey("I6");
        goesOn("award.released");
        assertThat(violated(AT_REST)).doesNotContainKey("I6");
        awards.answer("ann", "33-3", 2, "award.claimed", "");
        assertThat(violated(AT_REST)).containsEntry("I6", "award:33-3 is WON since event 97 and comes to no end");
    }

    @Test
    @DisplayName("A win whose time is still to come keeps I6 at rest until it is dispatched")
    void time() throws SQLException {
        annWins(AwardEvents.COFFEE, AwardEvents.FAR_AHEAD);
        assertThat(violated(AT_REST)).doesNotContainKey("I6");
        goesOn("award.dispatched");
        assertThat(violated(AT_REST))
                .containsEntry("I6", "award:33-3 is DISPATCHED since event 98 and comes to no end");
    }

    @Test
    @DisplayName("A win whose time has come violates I6 at rest")
    void timeHasCome() throws SQLException {
        annWins(AwardEvents.COFFEE, AwardEvents.LONG_PAST);
        assertThat(violated(AT_REST)).containsEntry("I6", "award:33-3 is WON since event 97 and comes to no end");
    }

    @Test
    @DisplayName("An award that was drawn and has vanished violates I6")
    void violatedByAnAwardThatWasDrawnAndHasVanished() throws SQLException {
        accounts.recharge(AccountEvents.ANN, 3, "ann", 1, 1, 1);
        accounts.spend(AccountEvents.ANN, 4, "ann", "33-3", "2026-11-30");
        orders.draw("ann", "33-3", "WON", 101);
        violatedOnly("order:33-3 drew an award at event 96 that nobody won");
    }

    @ParameterizedTest
    @ValueSource(strings = {"award:00-9", "award:00-1"})
    @DisplayName("A substitute that nobody won, or that was drawn, violates I6")
    void substituteHasVanished(String substitute) throws SQLException {
        awards.answer("bob", "00-2", 3, "award.compensated", substitute(substitute));
        history.count("award:100/102", 0);
        violatedOnly(
                "award:00-2 is compensated by %s at event 93, which nobody won instead of it".formatted(substitute));
    }

    @ParameterizedTest
    @CsvSource({"MANUAL,", "SUBSTITUTE,", "MANUAL,award:00-9"})
    @DisplayName("A remedy that makes nothing good violates I6")
    void noRemedy(String by, @Nullable String substitute) throws SQLException {
        String with = substitute == null ? "" : ",\"substitute\":\"%s\"".formatted(substitute);
        awards.answer("bob", "00-2", 3, "award.compensated", ",\"by\":\"%s\"".formatted(by) + with);
        history.count("award:100/102", 0);
        violatedOnly("award:00-2 is compensated by %s at event 93, with %s"
                .formatted(by, substitute == null ? "nothing" : substitute));
    }
}
