package lottery.saga;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardCommand.GrantAward;
import lottery.api.award.AwardEvent.AwardGranted;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardRecordId;
import lottery.api.credit.CreditAccountId;
import lottery.api.credit.CreditEntry;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.GrantTime;
import lottery.api.strategy.Remedy;
import lottery.messaging.KafkaTopics;
import lottery.messaging.invoice.Invoice;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.axonframework.messaging.Message;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.test.context.TestConstructor;

@SpringBootTest
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
@DisplayName("A win of credits")
class CreditAwardGrantTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final ActivityId ACTIVITY = new ActivityId(100);
    private static final Instant NOON = Instant.parse("2026-11-21T04:00:00.123456Z");
    private static final String GROUP = "lottery-fulfilment";
    private static final int AT_ONCE_MAX = 6;

    private final AwardRecords records;
    private final CreditAccounts credits;
    private final KafkaTemplate<String, byte[]> kafka;
    private final KafkaAdmin admin;
    private final TopicReader reader;
    private final TestClock clock;
    private final JdbcClient database;
    private final KafkaListenerEndpointRegistry listeners;
    private final InvoiceWriter invoices;

    private UserId user = new UserId("nobody");

    CreditAwardGrantTest(
            AwardRecords records,
            CreditAccounts credits,
            KafkaTemplate<String, byte[]> kafka,
            KafkaAdmin admin,
            TopicReader reader,
            TestClock clock,
            JdbcClient database,
            KafkaListenerEndpointRegistry listeners,
            InvoiceWriter invoices) {
        this.records = records;
        this.credits = credits;
        this.kafka = kafka;
        this.admin = admin;
        this.reader = reader;
        this.clock = clock;
        this.database = database;
        this.listeners = listeners;
        this.invoices = invoices;
    }

    /** Gives each test its own user: all tests share one store and one broker. */
    @BeforeEach
    void ownUser(TestInfo test) {
        user = new UserId("credits-" + test.getTestMethod().orElseThrow().getName());
    }

    private AwardRecordId record(String key) {
        return AwardRecordId.of(
                RaffleRequestIdentity.of(new AccountId(ACTIVITY, user), key).id());
    }

    private AwardRecordId win(@Nullable String amount, Map<String, String> config) {
        return win(amount, config, GrantTime.AT_ONCE);
    }

    private AwardRecordId win(@Nullable String amount, Map<String, String> config, GrantTime time) {
        AwardRecordId id = record("first");
        records.win(new AwardWon(
                id,
                ACTIVITY,
                user,
                new Prize(101, "Points", AwardType.CREDIT, 1, amount == null ? null : new BigDecimal(amount)),
                false,
                null,
                config,
                time,
                Remedy.MANUAL,
                null,
                NOON,
                null));
        return id;
    }

    private AwardRecordId win(String amount) {
        return win(amount, Map.of());
    }

    private String reference() {
        return new CreditAccountId(user).text() + "#1";
    }

    private void awaitGranted(AwardRecordId id) {
        await("granted: " + id.text())
                .atMost(LIMIT)
                .untilAsserted(() -> assertThat(records.eventsOf(id))
                        .<Object>extracting(Message::getPayload)
                        .contains(new AwardGranted(id, user, reference())));
    }

    private void assertBookedOnce(AwardRecordId id, String amount) {
        assertThat(credits.of(user))
                .filteredOn(entry -> !entry.businessNo().equals(record("last").text()))
                .extracting(CreditEntry::amount, CreditEntry::businessNo, CreditEntry::reason)
                .containsExactly(tuple(new BigDecimal(amount), id.text(), "Points"));
    }

    private void send(AwardRecordId id, String amount, int attempt) {
        invoice(id, "\"content\":{},\"amount\":\"%s\"".formatted(amount), attempt);
    }

    private void invoice(AwardRecordId id, String what, int attempt) {
        String content = """
                {"awardRecordId":"%s","userId":"%s","activityId":100,"award":{"awardId":101,"title":"Points"},\
                "type":"CREDIT",%s,"attempt":%d}""".formatted(id.text(), user, what, attempt);
        send(KafkaTopics.INVOICE, user.value(), "lottery.invoice.v1", id.text() + "/invoice/" + attempt, content);
    }

    private void send(String topic, String key, String type, String id, String content) {
        ProducerRecord<String, byte[]> message = new ProducerRecord<>(topic, key, content.getBytes(UTF_8));
        Map.of("ce_specversion", "1.0", "ce_id", id, "ce_source", "/test", "ce_type", type)
                .forEach((name, value) -> message.headers().add(name, value.getBytes(UTF_8)));
        kafka.send(message).orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
    }

    private void awaitAnswer(AwardRecordId id) {
        await("granted: " + id.text())
                .atMost(LIMIT)
                .until(() -> records.eventsOf(id).stream()
                        .map(Message::getPayload)
                        .anyMatch(AwardGranted.class::isInstance));
    }

    @Test
    @DisplayName("The amount that was drawn is booked, and the grant names the booking.")
    void drawn() {
        AwardRecordId id = win("8.80", Map.of("credits", "1000"));
        awaitGranted(id);
        assertBookedOnce(id, "8.8");
    }

    @Test
    @DisplayName("If the amount does not vary, the amount in the config is booked.")
    void fixed() {
        AwardRecordId id = win(null, Map.of("credits", "1000"));
        awaitGranted(id);
        assertBookedOnce(id, "1000");
    }

    @Test
    @DisplayName("Credits are booked at their time, without an invoice, and then the saga is over.")
    void scheduled() {
        GrantTime soon =
                new GrantTime(GrantTime.Timing.SCHEDULED, clock.instant().plusSeconds(8));
        AwardRecordId id = win("7", Map.of(), soon);
        await("its saga waits").atMost(LIMIT).until(() -> sagasOf(id) == 1);
        awaitGranted(id);
        assertBookedOnce(id, "7");
        await("its saga is over").atMost(LIMIT).until(() -> sagasOf(id) == 0);
        assertThat(reader.on(KafkaTopics.INVOICE, user.value())).isEmpty();
    }

    private int sagasOf(AwardRecordId id) {
        return database.sql("SELECT count(*) FROM saga WHERE association = ?")
                .param(id.text())
                .query(Integer.class)
                .single();
    }

    @Test
    @DisplayName("Credits without a number are left to other systems, which may know it.")
    void unknown() {
        AwardRecordId unknown = record("unknown");
        records.keep(unknown, user);
        invoice(unknown, "\"content\":{\"credits\":\"-5\"}", 1);
        AwardRecordId behind = win("7");
        awaitGranted(behind);
        assertBookedOnce(behind, "7");
        assertThat(records.receivedFor(unknown)).isEmpty();
    }

    @Test
    @DisplayName("An award that another system has handed over, or that was compensated, is not booked.")
    void tooLate() {
        AwardRecordId elsewhere = record("elsewhere");
        records.keep(elsewhere, user);
        answer(elsewhere, "GRANTED");
        await("granted")
                .atMost(LIMIT)
                .until(() -> records.receivedFor(elsewhere).stream().anyMatch(GrantAward.class::isInstance));
        send(elsewhere, "5", 1);
        AwardRecordId behind = win("7");
        awaitGranted(behind);
        assertBookedOnce(behind, "7");
    }

    private void answer(AwardRecordId id, String result) {
        String content =
                "{\"awardRecordId\":\"%s\",\"result\":\"%s\",\"reference\":\"own\"}".formatted(id.text(), result);
        send(KafkaTopics.FULFILMENT, id.text(), "lottery.fulfilment.v1", id.text() + "/own", content);
    }

    @Test
    @DisplayName("Credits are booked once although the first answer was lost.")
    void lostBooking() {
        AwardRecordId id = record("first");
        credits.lose(id.text(), 2);
        winOf(user, "first", "7");
        awaitGranted(id);
        assertThat(credits.timesAsked(id.text())).isEqualTo(3);
        assertBookedOnce(id, "7");
    }

    @Test
    @DisplayName("Credits are booked when that is possible again.")
    void outage() {
        AwardRecordId id = record("first");
        credits.fail(id.text(), 2);
        winOf(user, "first", "7");
        awaitGranted(id);
        assertBookedOnce(id, "7");
    }

    @Test
    @DisplayName("Credits are booked once however often they are invoiced.")
    void invoicedAgain() {
        AwardRecordId id = win("7");
        awaitGranted(id);
        send(id, "7.00", 1);
        send(id, "8", 2);
        awaitRead();
        assertBookedOnce(id, "7");
    }

    /** Waits until all invoices of this user so far were handled. */
    private void awaitRead() {
        AwardRecordId last = record("last");
        records.keep(last, user);
        send(last, "0.5", 1);
        await("the last one")
                .atMost(LIMIT)
                .until(() -> credits.of(user).stream()
                        .anyMatch(entry -> entry.businessNo().equals(last.text())));
    }

    @Test
    @DisplayName("Credits do not wait for other users, and those of the same user are booked one after the other.")
    void sideBySide() {
        List<UserId> winners = winners(AT_ONCE_MAX);
        invoices.stop(GROUP);
        CyclicBarrier meeting = records.meet(
                winners.stream().map(winner -> winOf(winner, "first", "1")).toList());
        winners.forEach(winner -> winOf(winner, "second", "2"));
        winners.forEach(winner -> winOf(winner, "third", "3"));
        invoices.start(GROUP);
        winners.forEach(winner -> await(winner.value())
                .atMost(LIMIT)
                .untilAsserted(() -> assertThat(credits.of(winner))
                        .extracting(CreditEntry::amount)
                        .containsExactly(new BigDecimal("1"), new BigDecimal("2"), new BigDecimal("3"))));
        assertThat(meeting.isBroken()).isFalse();
    }

    /** Returns users whose invoices are read as one batch: all are in one partition. */
    private List<UserId> winners(int count) {
        return invoices.keysOfOnePartition(user.value() + "-", count).stream()
                .map(UserId::new)
                .toList();
    }

    @Test
    @DisplayName("The number of bookings at once is limited, because draws need the database too.")
    void bounded() throws Exception {
        List<UserId> winners = winners(AT_ONCE_MAX + 1);
        invoices.stop(GROUP);
        CyclicBarrier meeting = records.meet(
                winners.stream().map(winner -> winOf(winner, "first", "1")).toList());
        invoices.start(GROUP);
        await("as many as may").atMost(LIMIT).until(() -> meeting.getNumberWaiting() == AT_ONCE_MAX);
        await("and no more").during(Duration.ofMillis(500)).until(() -> meeting.getNumberWaiting() == AT_ONCE_MAX);
        records.meetNoMore();
        meeting.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
        winners.forEach(winner -> await(winner.value())
                .atMost(LIMIT)
                .until(() -> !credits.of(winner).isEmpty()));
    }

    @Test
    @DisplayName("The awards of a batch are booked together, each once, without those that were answered before.")
    void together() {
        List<UserId> winners = winners(5);
        invoices.stop(GROUP);
        List<AwardRecordId> ids =
                winners.stream().map(winner -> winOf(winner, "first", "1")).toList();
        AwardRecordId late = ids.getLast();
        answer(late, "GRANTED");
        await("granted elsewhere")
                .atMost(LIMIT)
                .until(() -> !records.eventsOf(late).isEmpty());
        ids.forEach(id -> invoice(id, winners.get(ids.indexOf(id)), "1", 2));
        invoices.start(GROUP);
        List<AwardRecordId> booked = ids.subList(0, 4);
        booked.forEach(this::awaitAnswer);
        assertThat(winners).extracting(winner -> credits.of(winner).size()).containsExactly(1, 1, 1, 1, 0);
        assertThat(booked)
                .allSatisfy(id -> assertThat(credits.timesAsked(id.text())).isOne())
                .extracting(id -> credits.unitOfWorkOf(id.text()))
                .containsOnly(credits.unitOfWorkOf(ids.getFirst().text()));
    }

    @Test
    @DisplayName(
            "Credits are booked once although another award of the batch fails at first, or comes with another amount.")
    void apartAfterAll() {
        List<UserId> winners = winners(4);
        invoices.stop(GROUP);
        List<AwardRecordId> ids =
                winners.stream().map(winner -> winOf(winner, "first", "1")).toList();
        credits.fail(ids.get(1).text(), 3);
        invoices.start(GROUP);
        ids.forEach(this::awaitAnswer);
        assertThat(winners).allSatisfy(winner -> assertThat(credits.of(winner)).hasSize(1));

        invoices.stop(GROUP);
        AwardRecordId other = winOf(winners.getFirst(), "second", "2");
        invoice(other, winners.getFirst(), "3", 2);
        AwardRecordId beside = winOf(winners.get(1), "second", "2");
        invoices.start(GROUP);
        List.of(other, beside).forEach(this::awaitAnswer);
        assertThat(winners.subList(0, 2))
                .allSatisfy(winner -> assertThat(credits.of(winner))
                        .extracting(CreditEntry::amount)
                        .containsExactly(new BigDecimal("1"), new BigDecimal("2")));
    }

    private AwardRecordId winOf(UserId winner, String key, String amount) {
        AwardRecordId id = AwardRecordId.of(
                RaffleRequestIdentity.of(new AccountId(ACTIVITY, winner), key).id());
        records.keep(id, winner);
        invoice(id, winner, amount, 1);
        return id;
    }

    private void invoice(AwardRecordId id, UserId winner, String amount, int attempt) {
        invoices.send(new Invoice(
                id,
                winner,
                ACTIVITY,
                new Invoice.InvoicedAward(101, "Points"),
                AwardType.CREDIT,
                Map.of(),
                new BigDecimal(amount),
                attempt));
    }

    @Test
    @DisplayName("Credits are not booked again when all invoices are read again from the first one on.")
    void replayed() throws Exception {
        AwardRecordId id = win("7");
        awaitGranted(id);
        MessageListenerContainer container = listeners.getListenerContainers().stream()
                .filter(each -> GROUP.equals(each.getGroupId()))
                .findFirst()
                .orElseThrow();
        container.stop();
        try (Admin broker = Admin.create(admin.getConfigurationProperties())) {
            await("nobody reads").atMost(LIMIT).ignoreExceptions().until(() -> {
                broker.deleteConsumerGroups(List.of(GROUP)).all().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
                return true;
            });
        }
        container.start();
        awaitRead();
        assertBookedOnce(id, "7");
    }
}
