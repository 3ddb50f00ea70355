package lottery.bench;

import static lottery.bench.invariant.CheckMoment.AT_REST;
import static lottery.bench.invariant.CheckMoment.IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("I3: one order, one outcome")
class OutcomeInvariantTest extends CheckedHistory {

    @Nested
    @DisplayName("I3: one order, one outcome")
    class OneOrderOneOutcome {

        @Test
        @DisplayName("A request that was refused after it had waited is ended, and nothing else happens to it")
        void refused() throws SQLException {
            orders.refuse("28-r", 0);
            assertThat(violated(IN_FLIGHT)).isEmpty();
            orders.create("28-r", 1);
            assertThat(violated(IN_FLIGHT))
                    .containsEntry("I3", "order:28-r is refused at event 93 and is created at event 94");
        }

        @Test
        @DisplayName("A second draw of an order violates I3")
        void violatedByASecondDraw() throws SQLException {
            orders.draw("order:33-2", 1, "ann", "33-2", "NOTHING", 0);
            assertThat(violated(AT_REST))
                    .containsOnly(Map.entry("I3", "order:33-2 is drawn at event 16 and again at event 93"));
        }

        @Test
        @DisplayName("A draw in another order's stream violates I3")
        void violatedByADrawInAnotherOrdersStream() throws SQLException {
            accounts.recharge(AccountEvents.ANN, 3, "ann", 1, 1, 1);
            accounts.spend(AccountEvents.ANN, 4, "ann", "33-3", "2026-11-30");
            orders.draw("order:33-2", 1, "ann", "33-3", "NOTHING", 0);
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(
                            Map.entry("I3", "order:33-3 has raffle.drawn at event 96 in the stream of order:33-2"));
        }

        @Test
        @DisplayName("An order that begins otherwise violates I3")
        void violatedByAnOrderThatBeginsOtherwise() throws SQLException {
            history.event("order:33-3", 0, "tree.defined", "{}");
            assertThat(violated(AT_REST))
                    .containsOnly(
                            Map.entry("I3", "order:33-3 begins with tree.defined at event 93, which begins no order"));
        }

        @Test
        @DisplayName("A chance without an outcome violates I3")
        void violatedByAChanceWithoutAnOutcome() throws SQLException {
            accounts.recharge(AccountEvents.ANN, 3, "ann", 1, 1, 1);
            accounts.spend(AccountEvents.ANN, 4, "ann", "33-3", "2026-11-30");
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry("I3", "order:33-3 costs a chance at event 95 and is not drawn"));
        }

        @Test
        @DisplayName("Two chances for one order violate I3")
        void violatedByTwoChancesForOneOrder() throws SQLException {
            accounts.recharge(AccountEvents.ANN, 3, "ann", 1, 1, 1);
            accounts.spend(AccountEvents.ANN, 4, "ann", "33-2", "2026-11-30");
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry("I3", "order:33-2 costs a chance at event 15 and again at event 95"));
        }
    }

    @Nested
    @DisplayName("I3: an order that stays open")
    class AnOpenOrder {

        private static final String TODAY = "2026-12-01";

        /**
         * Adds two events. They take a participation. A test that needs more chances than there are has to add them
         * before.
         *
         * @param participations how many are taken then
         */
        private void open(String key, long sequence, int participations) throws SQLException {
            accounts.open(sequence, key, TODAY);
            orders.create(key);
            history.count("participations:200", participations);
        }

        private void violatedOnly(String words) throws SQLException {
            assertThat(violated(IN_FLIGHT)).containsOnly(Map.entry("I3", words));
        }

        @Test
        @DisplayName("An order keeps I3 as long as it is open, and when it is drawn")
        void kept() throws SQLException {
            open("28-5", 8, 4);
            assertThat(violated(IN_FLIGHT)).isEmpty();
            accounts.use(9, "28-5", TODAY);
            orders.drawOfCat(1, "28-5");
            assertThat(violated(IN_FLIGHT)).isEmpty();
        }

        @Test
        @DisplayName("An open order that is not created violates I3")
        void notCreated() throws SQLException {
            accounts.open(8, "28-5", TODAY);
            history.count("participations:200", 4);
            violatedOnly("order:28-5 costs a chance at event 93 and is not created");
        }

        @Test
        @DisplayName("An open order that costs nothing violates I3")
        void free() throws SQLException {
            orders.create("28-5");
            violatedOnly("order:28-5 is created at event 93 and costs no chance");
        }

        @Test
        @DisplayName("An order that is drawn and not used by its account violates I3")
        void drawnAndNotUsed() throws SQLException {
            open("28-5", 8, 4);
            orders.drawOfCat(1, "28-5");
            violatedOnly("order:28-5 is drawn at event 95 and is not used");
        }

        @Test
        @DisplayName("An order that is used by its account and not drawn violates I3")
        void usedAndNotDrawn() throws SQLException {
            open("28-5", 8, 4);
            accounts.use(9, "28-5", TODAY);
            violatedOnly("order:28-5 is used at event 95 and is not drawn");
        }

        @Test
        @DisplayName("An order that is drawn in another commit than it is used violates I3")
        void usedInAnotherCommit() throws SQLException {
            open("28-5", 8, 4);
            accounts.use(9, "28-5", TODAY);
            accounts.recharge(AccountEvents.ANN, 3, "ann", 1, 1, 1);
            orders.drawOfCat(1, "28-5");
            violatedOnly("order:28-5 is used at event 95 and is drawn at event 98, in another commit");
        }

        @Test
        @DisplayName("An order that is used and not open violates I3")
        void usedAndNotOpen() throws SQLException {
            accounts.use(8, "28-3", TODAY);
            violatedOnly("order:28-3 is used at event 93 and is not the open order of 200/cat");
        }

        @Test
        @DisplayName("A second open order of an account violates I3")
        void twoAtATime() throws SQLException {
            accounts.recharge(AccountEvents.CAT, 8, "cat", 1, 1, 1);
            open("28-5", 9, 4);
            open("28-6", 10, 5);
            violatedOnly("order:28-6 is opened at event 97 while order:28-5 is open");
        }

        @Test
        @DisplayName("An order that is drawn and cancelled violates I3")
        void drawnAndCancelled() throws SQLException {
            open("28-5", 8, 4);
            accounts.use(9, "28-5", TODAY);
            orders.drawOfCat(1, "28-5");
            accounts.giveBack(10, "28-5", TODAY);
            orders.cancel(2, "28-5");
            violatedOnly("order:28-5 is drawn at event 96 and cancelled at event 98");
        }

        @Test
        @DisplayName("An order that is cancelled without its chance coming back violates I3")
        void cancelledForNothing() throws SQLException {
            open("28-5", 8, 4);
            orders.cancel(1, "28-5");
            violatedOnly("order:28-5 is cancelled at event 95 and gives no chance back");
        }

        @Test
        @DisplayName("An order that is not cancelled while its chance comes back violates I3")
        void returnedAndOpen() throws SQLException {
            open("28-5", 8, 4);
            accounts.giveBack(9, "28-5", TODAY);
            history.count("participations:200", 3);
            violatedOnly("order:28-5 gives its chance back at event 95 and is not cancelled");
        }

        @Test
        @DisplayName("A chance that comes back twice violates I3")
        void returnedTwice() throws SQLException {
            accounts.giveBack(8, "28-2", TODAY);
            violatedOnly("order:28-2 gives its chance back at event 85 and again at event 93");
        }

        @Test
        @DisplayName("A chance that comes back as one of another day violates I3")
        void returnedOfAnotherDay() throws SQLException {
            accounts.giveBack(8, "28-3", "2026-11-30");
            violatedOnly("order:28-3 gives a chance of 2026-11-30 back to 200/cat at event 93"
                    + " and had cost one of 2026-12-01 of 200/cat");
        }

        @Test
        @DisplayName("A chance that comes back and was never spent violates I3")
        void returnedForNothing() throws SQLException {
            accounts.giveBack(8, "28-9", TODAY);
            violatedOnly("order:28-9 gives a chance back at event 93 and had cost none");
        }

        @Test
        @DisplayName("An event in another order's stream violates I3")
        void otherStream() throws SQLException {
            history.event("order:28-2", 2, "raffle.order-cancelled", "{\"orderId\":\"order:28-1\",\"userId\":\"cat\"}");
            violatedOnly("order:28-1 has raffle.order-cancelled at event 93 in the stream of order:28-2");
        }
    }

    @Nested
    @DisplayName("I3: a chance that comes back after the draw")
    class AReturnedChance {

        private static final String TODAY = "2026-12-01";

        private void compensate() throws SQLException {
            awards.answer("bob", "00-2", 3, "award.compensated", ",\"by\":\"RETURN_CHANCE\"");
            history.count("award:100/102", 0);
        }

        private void violatedOnly(String words) throws SQLException {
            assertThat(violated(IN_FLIGHT)).containsOnly(Map.entry("I3", words));
        }

        @Test
        @DisplayName("A chance that makes good for the award of its order keeps I3")
        void kept() throws SQLException {
            compensate();
            accounts.giveBack(AccountEvents.BOB, 3, "bob", "00-2", TODAY);
            assertThat(violated(IN_FLIGHT)).isEmpty();
        }

        @Test
        @DisplayName("A chance that comes back after the draw and makes good for nothing violates I3")
        void forNothing() throws SQLException {
            accounts.giveBack(8, "28-3", TODAY);
            violatedOnly("order:28-3 gives its chance back at event 93"
                    + " and has no award that is compensated by the chance");
        }

        @Test
        @DisplayName("A chance that comes back for an award with another remedy violates I3")
        void madeGoodForOtherwise() throws SQLException {
            accounts.giveBack(AccountEvents.DAN, 9, "dan", "17-1", TODAY);
            violatedOnly("order:17-1 gives its chance back at event 93"
                    + " and has no award that is compensated by the chance");
        }

        @Test
        @DisplayName("An award that is compensated by a chance that does not come back violates I3")
        void missing() throws SQLException {
            compensate();
            violatedOnly("order:00-2 has its award compensated by the chance at event 93 and gives no chance back");
        }

        @Test
        @DisplayName("A chance that comes back in another commit than the remedy violates I3")
        void inAnotherCommit() throws SQLException {
            compensate();
            accounts.recharge(AccountEvents.ANN, 3, "ann", 1, 1, 1);
            accounts.giveBack(AccountEvents.BOB, 3, "bob", "00-2", TODAY);
            violatedOnly("order:00-2 gives its chance back at event 96"
                    + " and has its award compensated by the chance at event 93, in another commit");
        }
    }
}
