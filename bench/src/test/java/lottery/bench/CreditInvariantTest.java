package lottery.bench;

import static lottery.bench.invariant.CheckMoment.AT_REST;
import static lottery.bench.invariant.CheckMoment.IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.sql.SQLException;
import java.util.Map;
import lottery.bench.invariant.InvariantVerdict;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Credits: booked once, never below zero, as was won or as it cost")
class CreditInvariantTest extends CheckedHistory {

    @BeforeEach
    void tellOfEve() throws SQLException {
        sound.addEve();
    }

    private void violatedOnly(String words) throws SQLException {
        assertThat(violated(IN_FLIGHT)).containsOnly(Map.entry("credits", words));
    }

    /** Adds six events: another award of credits for Eve, and its booking as her fourth. */
    private void winAndBook(String amount) throws SQLException {
        accounts.recharge(AccountEvents.EVE, 2, "eve", 1, 1, 1);
        accounts.spend(AccountEvents.EVE, 3, "eve", "3e-2", "2026-12-01");
        orders.draw("eve", "3e-2", "WON", AwardEvents.CREDITS);
        awards.win("eve", "3e-2", AwardEvents.CREDITS);
        credits.book(4, amount, "35", "award:3e-2");
    }

    /** Adds the win of another award of credits for Eve, which is also its grant, as her fourth booking. */
    private void winWithGrant() throws SQLException {
        accounts.recharge(AccountEvents.EVE, 2, "eve", 1, 1, 1);
        accounts.spend(AccountEvents.EVE, 3, "eve", "3e-2", "2026-12-01");
        orders.draw("eve", "3e-2", "WON", AwardEvents.CREDITS);
        awards.win(
                0,
                100,
                "eve",
                "3e-2",
                AwardEvents.CREDITS,
                false,
                AwardEvents.AT_ONCE,
                ",\"grantReference\":\"%s#4\"".formatted(CreditEvents.EVES_CREDITS));
    }

    private String flaw() throws SQLException {
        return verdict("credits", IN_FLIGHT).first();
    }

    @Test
    @DisplayName("A recharge that is paid for in one commit with it is no violation")
    void paid() throws SQLException {
        credits.price(100, 9001);
        credits.book(4, "-2", "24.5", "recharge:3e-r2");
        accounts.recharge(AccountEvents.EVE, 2, "eve", 1, 1, 1);
        assertThat(flaw()).isEmpty();
        assertThat(verdict("credits", IN_FLIGHT).checked()).isEqualTo(6);
    }

    @Test
    @DisplayName("A recharge that waited for its payment elsewhere when its SKU got a price is no violation")
    void paidElsewhere() throws SQLException {
        recharges.order("28-5", 9003);
        credits.price(200, 9003);
        recharges.complete("28-5", 1, 9003);
        assertThat(flaw()).isEmpty();
        recharges.complete("28-6", 0, 9003);
        assertThat(flaw()).isEqualTo("recharge:28-6 costs 2 at event 105, and nothing is booked for it");
    }

    @Test
    @DisplayName("A recharge that costs something and has no booking is a violation")
    void unpaid() throws SQLException {
        credits.price(100, 9001);
        accounts.recharge(AccountEvents.EVE, 2, "eve", 1, 1, 1);
        assertThat(flaw()).isEqualTo("recharge:3e-r2 costs 2 at event 104, and nothing is booked for it");
    }

    @Test
    @DisplayName("A booking of another amount than the price of the recharge is a violation")
    void otherPrice() throws SQLException {
        credits.price(100, 9001);
        accounts.recharge(AccountEvents.EVE, 2, "eve", 1, 1, 1);
        credits.book(4, "-1", "25.5", "recharge:3e-r2");
        assertThat(flaw()).isEqualTo("recharge:3e-r2 costs 2 at event 104, and -1 is booked for it at event 105");
    }

    @Test
    @DisplayName("A price that is booked in another commit than its recharge is a violation")
    void paidInAnotherCommit() throws SQLException {
        credits.price(100, 9001);
        accounts.recharge(AccountEvents.EVE, 2, "eve", 1, 1, 1);
        accounts.recharge(AccountEvents.BOB, 7, "bob", 1, 1, 1);
        credits.book(4, "-2", "24.5", "recharge:3e-r2");
        assertThat(flaw()).startsWith("recharge:3e-r2 costs 2 at event 104, and -2 is booked for it at event");
    }

    @Test
    @DisplayName("A recharge that costs credits and waits for its payment elsewhere is a violation")
    void paidLater() throws SQLException {
        credits.price(200, 9003);
        recharges.order("28-5", 9003);
        assertThat(flaw()).isEqualTo("recharge:28-5 costs 2 and is ordered at event 103, to be paid for later");
    }

    @Test
    @DisplayName("A booking for a recharge of somebody else is a violation")
    void paidByAnother() throws SQLException {
        credits.price(100, 9001);
        accounts.recharge(AccountEvents.ANN, 3, "ann", 1, 1, 1);
        credits.book(4, "-2", "24.5", "recharge:33-r3");
        assertThat(check(IN_FLIGHT).verdicts())
                .filteredOn(verdict -> verdict.name().equals("credits"))
                .extracting(InvariantVerdict::violated, InvariantVerdict::first)
                .containsExactly(
                        tuple(2L, "credit:3e:eve books -2 for recharge:33-r3 at event 105, which ann has had"));
    }

    @Test
    @DisplayName("A booking for a recharge that costs nothing is a violation")
    void paidForNothing() throws SQLException {
        accounts.recharge(AccountEvents.EVE, 2, "eve", 1, 1, 1);
        credits.book(4, "-2", "24.5", "recharge:3e-r2");
        assertThat(flaw())
                .isEqualTo("credit:3e:eve books -2 for recharge:3e-r2 at event 104,"
                        + " which is no recharge that costs credits");
    }

    @Test
    @DisplayName("Sound bookings are no violation, and their read model is the fold of the events")
    void kept() throws SQLException {
        assertThat(violated(AT_REST)).isEmpty();
        assertThat(verdict("credits", AT_REST).checked()).isEqualTo(4);
        assertThat(verdict("I8 view_credit_entry", AT_REST).checked()).isEqualTo(3);
    }

    @Test
    @DisplayName("Credits that somebody else has granted are no violation, and are counted")
    void elsewhere() throws SQLException {
        history.restore();
        accounts.recharge(AccountEvents.EVE, 0, "eve", 1, 1, 1);
        accounts.spend(AccountEvents.EVE, 1, "eve", "3e-1", "2026-11-30");
        orders.draw("order:3e-1", 0, "eve", "3e-1", "WON", AwardEvents.CREDITS);
        awards.win("eve", "3e-1", AwardEvents.CREDITS);
        awards.answer("eve", "3e-1", 1, "award.granted", ",\"reference\":\"4711\"");
        assertThat(violated(IN_FLIGHT)).doesNotContainKey("credits");
        assertThat(verdict("credits", IN_FLIGHT).remark()).startsWith("1 awards of credits");
    }

    @Test
    @DisplayName("A second booking of one business number is a violation")
    void twice() throws SQLException {
        credits.book(4, "30", "56.5", "gift");
        assertThat(violated(IN_FLIGHT).get("credits"))
                .isEqualTo("gift of eve is booked at event 100 and again at event 102");
    }

    @Test
    @DisplayName("A balance below zero is a violation, however little")
    void belowZero() throws SQLException {
        credits.book(4, "-26.500001", "-0.000001", "shop-2");
        violatedOnly("credit:3e:eve falls to -0.000001 at event 102");
    }

    @Test
    @DisplayName("A balance that its bookings do not add up to is a violation")
    void wrongSum() throws SQLException {
        credits.book(4, "0.1", "26.7", "gift-2");
        violatedOnly("credit:3e:eve has 26.7 credits at event 102, and its bookings add up to 26.6");
    }

    @Test
    @DisplayName("A booking out of turn is a violation")
    void outOfTurn() throws SQLException {
        history.event(CreditEvents.EVES_CREDITS, 3, "credit.booked", """
                {"userId":"eve","entry":5,"amount":"1","balance":"27.5","businessNo":"x","bookedAt":"2026-11-30T04:00:00Z"}""");
        history.claim(CreditEvents.EVES_CREDITS, "x", "5");
        violatedOnly("credit:3e:eve has entry 5 at event 102, where 4 was due");
    }

    @Test
    @DisplayName("A booking in somebody else's stream is a violation")
    void otherStream() throws SQLException {
        history.event("credit:28:ann", 0, "credit.booked", """
                {"userId":"cat","entry":1,"amount":"1","balance":"1","businessNo":"x","bookedAt":"2026-11-30T04:00:00Z"}""");
        history.claim("credit:28:ann", "x", "1");
        assertThat(violated(IN_FLIGHT))
                .containsOnly(
                        Map.entry("credits", "credit:28:ann has a booking of cat at event 102"),
                        Map.entry(
                                "homes",
                                "event 102, credit.booked, is about cat of shard 28, and in the stream credit:28:ann"));
    }

    @Test
    @DisplayName("A booking whose number is unclaimed, or claimed for another one, is a violation")
    void unclaimed() throws SQLException {
        history.sql("DELETE FROM claim WHERE key = 'shop'");
        violatedOnly("shop is booked by credit:3e:eve at event 101 as entry 3, and claimed by nobody");
        history.claim(CreditEvents.EVES_CREDITS, "shop", "2");
        violatedOnly("shop is booked by credit:3e:eve at event 101 as entry 3, and claimed for entry 2");
    }

    @Test
    @DisplayName("A number that was claimed for nothing is a violation")
    void claimedForNothing() throws SQLException {
        history.claim(CreditEvents.EVES_CREDITS, "lost", "4");
        violatedOnly("credit:3e:eve has claimed lost and booked nothing for it");
    }

    @Test
    @DisplayName("A booking for an award that nobody won as credits is a violation")
    void notWon() throws SQLException {
        credits.book(4, "8.5", "35", "award:33-1");
        violatedOnly("credit:3e:eve books 8.5 for award:33-1 at event 102, which nobody has won as credits");
    }

    @Test
    @DisplayName("A booking for somebody else's award is a violation")
    void othersAward() throws SQLException {
        history.event("credit:33:ann", 0, "credit.booked", """
                {"userId":"ann","entry":1,"amount":"8.5","balance":"8.5","businessNo":"award:3e-1","bookedAt":"2026-11-30T04:00:00Z"}""");
        history.claim("credit:33:ann", "award:3e-1", "1");
        violatedOnly("credit:33:ann books 8.5 for award:3e-1 at event 102, which eve has won");
    }

    @Test
    @DisplayName("A booking of another amount than was won is a violation")
    void otherAmount() throws SQLException {
        winAndBook("8.50");
        assertThat(violated(IN_FLIGHT)).doesNotContainKey("credits");
        history.sql(
                "UPDATE event SET payload = convert_to(replace(convert_from(payload, 'UTF8'), '8.50', '8.51'), 'UTF8')");
        assertThat(violated(IN_FLIGHT).get("credits"))
                .isEqualTo("credit:3e:eve has 35 credits at event 107, and its bookings add up to 35.01");
        history.sql(
                "UPDATE event SET payload = convert_to(replace(convert_from(payload, 'UTF8'), '\"35\"', '\"35.01\"'), 'UTF8')");
        assertThat(violated(IN_FLIGHT).get("credits"))
                .isEqualTo("credit:3e:eve books 8.51 for award:3e-2 at event 107, which is 8.5");
    }

    @Test
    @DisplayName("Credits that were granted and not booked, or booked elsewhere, are a violation")
    void notBooked() throws SQLException {
        history.sql("""
                UPDATE event SET payload = convert_to(replace(convert_from(payload, 'UTF8'), '#1', '#2'), 'UTF8')
                WHERE type = 'award.granted'""");
        violatedOnly("award:3e-1 is granted at event 99 as credit:3e:eve#2, and booked as credit:3e:eve#1");
        history.sql("""
                UPDATE event SET payload = convert_to(replace(convert_from(payload, 'UTF8'), 'award:3e-1', 'other'), 'UTF8')
                WHERE type = 'credit.booked';
                UPDATE claim SET key = 'other' WHERE key = 'award:3e-1'""");
        assertThat(violated(IN_FLIGHT).get("credits"))
                .isEqualTo("award:3e-1 is granted at event 99 as credit:3e:eve#2, and nothing is booked for it");
    }

    @Test
    @DisplayName("Credits that are granted where they are won are no violation if they are booked in that commit")
    void grantedWithTheWin() throws SQLException {
        winWithGrant();
        credits.book(4, "8.5", "35", "award:3e-2");
        assertThat(flaw()).isEmpty();
    }

    @Test
    @DisplayName("Credits that are granted where they are won and not booked, or booked later, are a violation")
    void bookedLater() throws SQLException {
        winWithGrant();
        assertThat(flaw())
                .isEqualTo("award:3e-2 is granted at event 106 as credit:3e:eve#4, and nothing is booked for it");
        accounts.recharge(AccountEvents.CAT, 8, "cat", 1, 1, 1);
        credits.book(4, "8.5", "35", "award:3e-2");
        assertThat(flaw())
                .matches("award:3e-2 is granted where it is won, at event 106,"
                        + " and booked in another commit, at event \\d+");
    }

    @Test
    @DisplayName("A wrong balance in the read model violates I8, and a row that is missing does at rest")
    void readModel() throws SQLException {
        history.sql("UPDATE view_credit_entry SET balance = 26.51 WHERE entry = 3");
        assertThat(violated(IN_FLIGHT))
                .containsOnly(Map.entry(
                        "I8 view_credit_entry",
                        "view_credit_entry has balance 26.51 for eve#3, the events make it 26.5"));
        history.sql("DELETE FROM view_credit_entry WHERE entry = 3");
        assertThat(violated(IN_FLIGHT)).isEmpty();
        assertThat(violated(AT_REST))
                .containsOnly(Map.entry("I8 view_credit_entry", "view_credit_entry has no row for eve#3"));
    }
}
