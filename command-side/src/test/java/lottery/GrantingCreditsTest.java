package lottery;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import lottery.Http.Response;
import lottery.api.Answer;
import lottery.api.Command;
import lottery.api.Refusal;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardCommand.GrantAward;
import lottery.api.award.AwardCommand.GrantCredits;
import lottery.api.award.AwardCommand.RejectGrant;
import lottery.api.award.AwardEvent.AwardGranted;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardRecordId;
import lottery.api.award.AwardState;
import lottery.api.credit.CreditAccountId;
import lottery.api.credit.CreditCommand.BookCredits;
import lottery.api.credit.CreditEvent.CreditsBooked;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.GrantTime;
import lottery.api.strategy.GrantTime.Timing;
import lottery.api.strategy.Remedy;
import lottery.store.command.CommandSender;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.messaging.Message;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

@DisplayName("A won award of credits")
@SpringBootTest(classes = TestLottery.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class GrantingCreditsTest {

    private static final ActivityId ACTIVITY = new ActivityId(100);
    private static final BigDecimal SEVEN = new BigDecimal("7");

    private final CommandSender sender;
    private final EventStore log;
    private final JdbcClient database;
    private final Http http;

    @Autowired
    GrantingCreditsTest(CommandSender sender, EventStore log, JdbcClient database, @LocalServerPort int port) {
        this.http = new Http(port);
        this.sender = sender;
        this.log = log;
        this.database = database;
    }

    private AwardRecordId won(UserId user, String key, GrantTime grant) {
        AwardRecordId id = AwardRecordId.of(
                RaffleRequestIdentity.of(new AccountId(ACTIVITY, user), key).id());
        log.publish(new GenericDomainEventMessage<>(
                "award",
                id.text(),
                0,
                new AwardWon(
                        id,
                        ACTIVITY,
                        user,
                        new Prize(101, "Points", AwardType.CREDIT, 1, SEVEN),
                        false,
                        null,
                        Map.of(),
                        grant,
                        Remedy.MANUAL,
                        null,
                        Instant.EPOCH,
                        null)));
        return id;
    }

    private <R> Answer<R> send(Command<R> command) {
        return sender.send(command);
    }

    private List<Object> eventsOf(String aggregate) {
        return log.readEvents(aggregate)
                .asStream()
                .<Object>map(Message::getPayload)
                .toList();
    }

    private List<BigDecimal> bookedFor(UserId user) {
        return eventsOf(new CreditAccountId(user).text()).stream()
                .map(event -> ((CreditsBooked) event).amount())
                .toList();
    }

    @Test
    @DisplayName(
            "Credits that are drawn are booked in the commit of their win, each draw of a request as its own entry.")
    void drawn() {
        TestActivity activity = TestActivity.open(http, """
                "mode": "SINGLE", "awards": [
                  {"awardId": 1, "title": "Points", "type": "CREDIT", "rate": "1", "sort": 1, "amount": {"min": "2.5", "max": "2.5"}}]""");
        String user = "credit-drawn-" + activity.id;
        activity.recharge(user);
        Response three = activity.draw(user, "{\"count\": 3}", "three");
        assertThat(three.status()).as(three.text()).isEqualTo(201);
        String account = new CreditAccountId(new UserId(user)).text();
        assertThat(bookedFor(new UserId(user)))
                .containsExactlyElementsOf(Collections.nCopies(3, new BigDecimal("2.5")));
        assertThat(database.sql("""
                        SELECT type || ' ' || coalesce(payload ->> 'grantReference', payload ->> 'entry') FROM event_readable
                        WHERE type IN ('award.won', 'credit.booked') AND payload ->> 'userId' = ? ORDER BY position""").param(user).query(String.class).list())
                .containsExactly(
                        "award.won " + account + "#1",
                        "credit.booked 1",
                        "award.won " + account + "#2",
                        "credit.booked 2",
                        "award.won " + account + "#3",
                        "credit.booked 3");
        assertThat(activity.draw(user, "{\"count\": 3}", "three").status()).isEqualTo(200);
        assertThat(bookedFor(new UserId(user))).hasSize(3);
    }

    @Test
    @DisplayName("An award is booked and granted in one commit, once, and names its booking.")
    void granted() {
        UserId ann = new UserId("credit-ann");
        AwardRecordId id = won(ann, "first", GrantTime.AT_ONCE);
        for (int i = 0; i < 2; i++) {
            assertThat(send(new GrantCredits(id, SEVEN))).isEqualTo(Answer.done(AwardState.GRANTED));
        }
        assertThat(eventsOf(id.text())).last().isEqualTo(new AwardGranted(id, ann, "credit:" + suffix(ann) + "#1"));
        assertThat(bookedFor(ann)).containsExactly(SEVEN);
        assertThat(database.sql(
                                "SELECT count(DISTINCT xmin::text) FROM event WHERE aggregate_id IN (?, ?) AND sequence = "
                                        + "(CASE WHEN aggregate_id = ? THEN 1 ELSE 0 END)")
                        .params(id.text(), new CreditAccountId(ann).text(), id.text())
                        .query(Long.class)
                        .single())
                .as("transactions of the booking and of the grant")
                .isOne();
    }

    private static String suffix(UserId user) {
        return new CreditAccountId(user).text().substring("credit:".length());
    }

    @Test
    @DisplayName("An award is booked once if many requests come at once, and each of a user's awards is booked.")
    void atOnce() {
        UserId ben = new UserId("credit-ben");
        List<AwardRecordId> ids = IntStream.range(0, 5)
                .mapToObj(i -> won(ben, "k" + i, GrantTime.AT_ONCE))
                .toList();
        List<CompletableFuture<Answer<AwardState>>> answers = ids.stream()
                .flatMap(id -> Stream.of(id, id, id))
                .map(id -> CompletableFuture.supplyAsync(() -> send(new GrantCredits(id, SEVEN))))
                .toList();
        assertThat(answers).allSatisfy(answer -> assertThat(answer.join()).isEqualTo(Answer.done(AwardState.GRANTED)));
        assertThat(bookedFor(ben)).hasSize(5);
    }

    @Test
    @DisplayName("An award that was handed over elsewhere is not booked.")
    void tooLate() {
        UserId cat = new UserId("credit-cat");
        AwardRecordId id = won(cat, "first", GrantTime.AT_ONCE);
        send(new GrantAward(id, "by hand"));
        assertThat(send(new GrantCredits(id, SEVEN))).isEqualTo(Answer.done(AwardState.GRANTED));
        assertThat(bookedFor(cat)).isEmpty();
    }

    @Test
    @DisplayName("An award that waits for an operator is refused, and not booked.")
    void heldBack() {
        UserId dan = new UserId("credit-dan");
        AwardRecordId id = won(dan, "first", new GrantTime(Timing.MANUAL, null));
        assertThat(send(new GrantCredits(id, SEVEN)))
                .isInstanceOfSatisfying(
                        Answer.No.class, no -> assertThat(no.refused().why()).isEqualTo(Refusal.AWARD_STATE));
        assertThat(bookedFor(dan)).isEmpty();
    }

    @Test
    @DisplayName("An award that was booked before is granted with that, and refused if the amount differs.")
    void bookedBefore() {
        UserId eve = new UserId("credit-eve");
        AwardRecordId same = won(eve, "same", GrantTime.AT_ONCE);
        AwardRecordId other = won(eve, "other", GrantTime.AT_ONCE);
        send(new BookCredits(eve, SEVEN, same.text(), "Points"));
        send(new BookCredits(eve, BigDecimal.TEN, other.text(), "Points"));
        assertThat(send(new GrantCredits(same, SEVEN))).isEqualTo(Answer.done(AwardState.GRANTED));
        assertThat(send(new GrantCredits(other, SEVEN)))
                .isInstanceOfSatisfying(
                        Answer.No.class, no -> assertThat(no.refused().why()).isEqualTo(Refusal.KEY_REUSED));
        assertThat(eventsOf(other.text())).hasSize(1);
        assertThat(bookedFor(eve)).containsExactly(SEVEN, BigDecimal.TEN);
    }

    @Test
    @DisplayName("An award is not booked with another amount than it is worth, whatever an invoice says.")
    void forgedAmount() {
        UserId fay = new UserId("credit-fay");
        AwardRecordId id = won(fay, "first", GrantTime.AT_ONCE);
        assertThat(send(new GrantCredits(id, new BigDecimal("7000"))))
                .isInstanceOfSatisfying(
                        Answer.No.class, no -> assertThat(no.refused().why()).isEqualTo(Refusal.AWARD_STATE));
        assertThat(bookedFor(fay)).isEmpty();
        assertThat(send(new GrantCredits(id, new BigDecimal("7.00")))).isEqualTo(Answer.done(AwardState.GRANTED));
        assertThat(bookedFor(fay)).containsExactly(SEVEN);
    }

    @Test
    @DisplayName("An answer that comes before the time of an award does not count.")
    void beforeItsTime() {
        UserId gil = new UserId("credit-gil");
        Instant now = Instant.now();
        AwardRecordId later = won(gil, "later", new GrantTime(Timing.ACTIVITY_END, now.plusSeconds(55)));
        AwardRecordId soon = won(gil, "soon", new GrantTime(Timing.SCHEDULED, now.plusMillis(900)));
        for (Command<AwardState> early : List.<Command<AwardState>>of(
                new GrantCredits(later, SEVEN),
                new GrantAward(later, "forged"),
                new RejectGrant(later, "forged", "no"))) {
            assertThat(send(early))
                    .isInstanceOfSatisfying(
                            Answer.No.class,
                            no -> assertThat(no.refused().why()).isEqualTo(Refusal.AWARD_STATE));
        }
        assertThat(send(new GrantCredits(soon, SEVEN)))
                .as("processes differ a little about the time")
                .isEqualTo(Answer.done(AwardState.GRANTED));
        assertThat(bookedFor(gil)).containsExactly(SEVEN);
    }
}
