package lottery.bench;

import static lottery.bench.invariant.CheckMoment.IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("I7: no win without a chance, no grant without a win")
class WinInvariantTest extends CheckedHistory {

    @Nested
    @DisplayName("I7: no win without a chance, no grant without a win")
    class NoWinWithoutAChanceNoGrantWithoutAWin {

        @Test
        @DisplayName("A draw that cost nothing violates I7")
        void violatedByADrawThatCostNothing() throws SQLException {
            orders.draw("ann", "33-3", "WON", 101);
            awards.win("ann", "33-3", 101);
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry("I7", "order:33-3 is drawn at event 93 and no chance was spent for it"));
        }

        @Test
        @DisplayName("A draw at somebody else's cost violates I7")
        void violatedByADrawAtSomebodyElsesCost() throws SQLException {
            accounts.recharge(AccountEvents.BOB, 3, "bob", 1, 1, 1);
            accounts.spend(AccountEvents.BOB, 4, "bob", "33-3", "2026-12-01");
            orders.draw("ann", "33-3", "NOTHING", 0);
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(
                            Map.entry(
                                    "I7",
                                    "order:33-3 is drawn for 100/ann at event 96 and the chance is one of 100/bob"),
                            Map.entry(
                                    "I3",
                                    "order:33-3 costs a chance at event 95 and is drawn at event 96, in another commit"));
        }

        @Test
        @DisplayName("A draw for a chance that had come back violates I7")
        void violatedByADrawForAChanceThatHadComeBack() throws SQLException {
            accounts.spendOfCat(8, "28-5", "2026-12-01");
            accounts.giveBack(9, "28-5", "2026-12-01");
            orders.drawOfCat(0, "28-5");
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry(
                            "I7", "order:28-5 is drawn at event 95 and its chance had been given back at event 94"));
        }

        @Test
        @DisplayName("A win that was not drawn violates I7")
        void violatedByAWinThatWasNotDrawn() throws SQLException {
            awards.win("ann", "33-3", 101);
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry("I7", "award:33-3 is won at event 93 and nothing was drawn for it"));
        }

        @Test
        @DisplayName("A win of another award than the draw gave violates I7")
        void violatedByAWinOfWhatTheDrawDidNotGive() throws SQLException {
            awards.win("ann", "33-2", 102);
            history.count("award:100/102", 2);
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(
                            Map.entry(
                                    "I7",
                                    "award:33-2 is won as award 102 by 100/ann at event 93 and its draw gave no award to 100/ann"));
        }

        @Test
        @DisplayName("A win of another user than the one who drew violates I7")
        void violatedByAWinOfSomebodyElse() throws SQLException {
            accounts.recharge(AccountEvents.ANN, 3, "ann", 1, 1, 1);
            accounts.spend(AccountEvents.ANN, 4, "ann", "33-3", "2026-11-30");
            orders.draw("ann", "33-3", "WON", 101);
            awards.win("bob", "33-3", 101);
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(
                            Map.entry(
                                    "I7",
                                    "award:33-3 is won as award 101 by 100/bob at event 97 and its draw gave award 101 to 100/ann"),
                            Map.entry(
                                    "homes",
                                    "event 97, award.won, is about bob of shard 00, and in the stream award:33-3"));
        }

        @Test
        @DisplayName("A second win of one draw violates I7")
        void violatedByASecondWinOfOneDraw() throws SQLException {
            awards.win(3, "ann", "33-1", 101);
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry("I7", "award:33-1 is won at event 12 and again at event 93"));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "award.released",
                    "award.claimed",
                    "award.address-erased",
                    "award.forfeited",
                    "award.dispatched",
                    "award.dispatch-failed",
                    "award.granted",
                    "award.grant-rejected",
                    "award.left-to-desk"
                })
        @DisplayName("An event about an award that was not won violates I7")
        void violatedByWhatHappensToAnAwardThatWasNotWon(String name) throws SQLException {
            awards.answer("ann", "33-2", 0, name, "");
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry("I7", "award:33-2 has " + name + " at event 93 and was not won before"));
        }
    }

    @Nested
    @DisplayName("I7: a win that makes good for another one")
    class AWinInsteadOfAnother {

        private void compensate(String substitute) throws SQLException {
            awards.answer(
                    "bob",
                    "00-2",
                    3,
                    "award.compensated",
                    ",\"by\":\"SUBSTITUTE\",\"substitute\":\"" + substitute + "\"");
            history.count("award:100/102", 0);
        }

        private void violatedOnly(String words) throws SQLException {
            assertThat(violated(IN_FLIGHT)).containsOnly(Map.entry("I7", words));
        }

        @Test
        @DisplayName("A substitute keeps I7, although nothing was drawn for it")
        void kept() throws SQLException {
            awards.winInsteadOf("award:00-2", "00-9", 100, "bob");
            compensate("award:00-9");
            assertThat(violated(IN_FLIGHT)).isEmpty();
        }

        @Test
        @DisplayName("A substitute for an award that was not compensated violates I7")
        void notCompensated() throws SQLException {
            awards.winInsteadOf("award:00-2", "00-9", 100, "bob");
            violatedOnly("award:00-9 is won at event 93 instead of award:00-2, which was not compensated by it");
        }

        @Test
        @DisplayName("A second substitute for one award violates I7")
        void second() throws SQLException {
            awards.winInsteadOf("award:17-1", "17-8", 300, "dan");
            violatedOnly("award:17-8 is won at event 93 instead of award:17-1, which was not compensated by it");
        }

        @Test
        @DisplayName("A substitute that is won in another commit than the remedy violates I7")
        void inAnotherCommit() throws SQLException {
            compensate("award:00-9");
            accounts.recharge(AccountEvents.ANN, 3, "ann", 1, 1, 1);
            awards.winInsteadOf("award:00-2", "00-9", 100, "bob");
            violatedOnly("award:00-9 is won at event 96 and makes good for award:00-2 at event 93, in another commit");
        }

        @Test
        @DisplayName("A substitute in another activity than that of its award violates I7")
        void ofAnotherAccount() throws SQLException {
            awards.winInsteadOf("award:00-2", "00-9", 300, "bob");
            compensate("award:00-9");
            violatedOnly("award:00-9 is won by 300/bob at event 93 instead of award:00-2 of 100/bob");
        }
    }
}
