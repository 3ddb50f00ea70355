package lottery.bench;

import static lottery.bench.invariant.CheckMoment.IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What needs two persons has two, and anything else is a violation")
class ProposalInvariantTest extends CheckedHistory {

    private static final String RULE = """
            {"behaviour": "share", "rebates": [{"kind": "CREDIT", "amount": "8.8"}], "state": "OPEN"}""";

    private void made(String id, String action) throws SQLException {
        history.event(id, 0, "proposal.made", """
                {"proposalId": "%s", "userId": "eve", "action": %s, "proposedBy": "olga",
                 "expiresAt": "2027-12-07T04:00:00Z"}""".formatted(id, action));
    }

    private void agreed(String id, long sequence, String by) throws SQLException {
        history.event(id, sequence, "proposal.agreed", """
                {"proposalId": "%s", "userId": "eve", "proposedBy": "olga", "agreedBy": "%s"}""".formatted(id, by));
    }

    private static String booking(String amount) {
        return """
                {"kind": "BOOK_CREDITS", "subject": "credit:3e:eve", "userId": "eve", "amount": "%s",
                 "businessNo": "prize"}""".formatted(amount);
    }

    private String flaw() throws SQLException {
        return verdict("proposals", IN_FLIGHT).first();
    }

    @ParameterizedTest(name = "proposed {0}, booked {1}")
    @CsvSource({"5, 5, true", "5.0, 5, true", "5, 50, false"})
    @DisplayName("A booking has to be what was proposed")
    void booked(String proposed, String booked, boolean isRight) throws SQLException {
        sound.addEve();
        made("proposal:3e-1", booking(proposed));
        credits.book(4, booked, isRight ? "31.5" : "76.5", "prize");
        agreed("proposal:3e-1", 1, "paul");
        assertThat(flaw())
                .matches(
                        isRight
                                ? ""
                                : "proposal:3e-1 is agreed to at event [0-9]+, and credit:3e:eve was not changed so in"
                                        + " the same commit");
    }

    @Test
    @DisplayName("A person who has proposed it cannot agree")
    void alone() throws SQLException {
        sound.addEve();
        made("proposal:3e-1", booking("5"));
        credits.book(4, "5", "31.5", "prize");
        agreed("proposal:3e-1", 1, "olga");
        assertThat(flaw()).matches("proposal:3e-1 is agreed to at event [0-9]+ by the person who may have proposed it");
    }

    @Test
    @DisplayName("Nobody can agree after a decline")
    void declined() throws SQLException {
        sound.addEve();
        made("proposal:3e-1", booking("5"));
        history.event("proposal:3e-1", 1, "proposal.declined", """
                {"proposalId": "proposal:3e-1", "userId": "eve"}""");
        credits.book(4, "5", "31.5", "prize");
        agreed("proposal:3e-1", 2, "paul");
        assertThat(flaw()).matches("proposal:3e-1 is agreed to at event [0-9]+, and did not wait");
    }

    @Test
    @DisplayName("Nobody can agree after the end")
    void expired() throws SQLException {
        sound.addEve();
        history.event("proposal:3e-1", 0, "proposal.made", """
                {"proposalId": "proposal:3e-1", "userId": "eve", "action": %s, "expiresAt": "2020-12-07T04:00:00Z"}""".formatted(booking("5")));
        credits.book(4, "5", "31.5", "prize");
        history.event("proposal:3e-1", 1, "proposal.agreed", """
                {"proposalId": "proposal:3e-1", "userId": "eve"}""");
        assertThat(flaw()).matches("proposal:3e-1 is agreed to at event [0-9]+, after its end");
    }

    @Test
    @DisplayName("A booking has to be in the commit of the agreement")
    void bookedBefore() throws SQLException {
        sound.addEve();
        made("proposal:3e-1", booking("5"));
        credits.book(4, "5", "31.5", "prize");
        history.event("proposal:3e-2", 0, "proposal.made", """
                {"proposalId": "proposal:3e-2", "userId": "bob", "action": {"kind": "VOID_AWARD"},
                 "expiresAt": "2027-12-07T04:00:00Z"}""");
        agreed("proposal:3e-1", 1, "paul");
        assertThat(flaw())
                .matches("proposal:3e-1 is agreed to at event [0-9]+, and credit:3e:eve was not changed so in the same"
                        + " commit");
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    @DisplayName("A rule that pays needs an agreement to exactly this version")
    void rule(boolean isAgreed) throws SQLException {
        history.event("proposal:0b-1", 0, "proposal.made", """
                {"proposalId": "proposal:0b-1", "action": {"kind": "ADOPT_RULE", "subject": "rebate-rule:7", "version": 1,
                 "rule": %s}, "proposedBy": "olga", "expiresAt": "2027-12-07T04:00:00Z"}""".formatted(RULE));
        history.event("rebate-rule:7", 0, "rule.defined", """
                {"ruleId": 7, "version": %d, "definition": %s}""".formatted(isAgreed ? 1 : 2, RULE));
        history.event("proposal:0b-1", 1, "proposal.agreed", """
                {"proposalId": "proposal:0b-1", "proposedBy": "olga", "agreedBy": "paul"}""");
        assertThat(flaw())
                .matches(
                        isAgreed
                                ? ""
                                : "proposal:0b-1 is agreed to at event [0-9]+, and rebate-rule:7 was not changed so in"
                                        + " the same commit");
    }

    @Test
    @DisplayName("A rule that pays needs an agreement; closing a rule needs none")
    void withoutAgreement() throws SQLException {
        history.event("rebate-rule:7", 0, "rule.defined", """
                {"ruleId": 7, "version": 1, "definition": {"behaviour": "share", "rebates": [], "state": "CLOSED"}}""");
        assertThat(flaw()).isEmpty();
        history.event("rebate-rule:7", 1, "rule.defined", """
                {"ruleId": 7, "version": 2, "definition": %s}""".formatted(RULE));
        assertThat(flaw()).matches("rebate-rule:7 is changed at event [0-9]+, and no two persons have agreed on that");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            VOID_AWARD    | award.voided      | {"awardRecordId": "award:3e-9", "userId": "eve"}
            ERASE_PERSON  | person.erased     | {"keyId": "key1", "userId": "eve"}
            """)
    @DisplayName("A void and an erasure need an agreement in their commit, also a second one")
    void alwaysTwo(String kind, String event, String payload) throws SQLException {
        String subject = event.startsWith("award") ? "award:3e-9" : "person:3e:eve";
        made("proposal:3e-1", """
                {"kind": "%s", "subject": "%s", "userId": "eve", "keyId": "key1"}""".formatted(kind, subject));
        history.event(subject, 0, event, payload);
        agreed("proposal:3e-1", 1, "paul");
        assertThat(flaw()).isEmpty();
        history.event(subject, 1, event, payload);
        assertThat(flaw()).matches(subject + " is changed at event [0-9]+, and no two persons have agreed on that");
    }
}
