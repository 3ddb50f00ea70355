package lottery.saga;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import java.io.UnsupportedEncodingException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ActivityEvent.ActivityCreated;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardCommand.GrantAward;
import lottery.api.award.AwardEvent;
import lottery.api.award.AwardEvent.AwardGrantRejected;
import lottery.api.award.AwardEvent.AwardGranted;
import lottery.api.award.AwardRecordId;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyDefinition.Mode;
import lottery.api.strategy.StrategyEvent.StrategyDefined;
import lottery.api.strategy.StrategyId;
import lottery.messaging.KafkaTopics;
import lottery.messaging.invoice.Invoice;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.http.MediaType;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.context.TestConstructor;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.context.WebApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@SpringBootTest
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
@DisplayName("A CODE award")
class CodeAwardGrantTest {

    private static final Duration LIMIT = Duration.ofSeconds(40);
    private static final String GROUP = "lottery-fulfilment";
    private static final int TEXT_AWARD = 999;
    private static final int AT_ONCE_MAX = 6;

    private static long nextActivity = 7_000;

    private final AwardRecords records;
    private final Activities activities;
    private final EventStore events;
    private final InvoiceWriter invoices;
    private final JdbcClient database;
    private final ConcurrentKafkaListenerContainerFactory<?, ?> readers;
    private final MockMvc web;

    private ActivityId activity = new ActivityId(1);
    private String test = "";

    CodeAwardGrantTest(
            AwardRecords records,
            Activities activities,
            EventStore events,
            InvoiceWriter invoices,
            JdbcClient database,
            ConcurrentKafkaListenerContainerFactory<?, ?> readers,
            WebApplicationContext context) {
        this.records = records;
        this.activities = activities;
        this.events = events;
        this.invoices = invoices;
        this.database = database;
        this.readers = readers;
        this.web = MockMvcBuilders.webAppContextSetup(context).build();
    }

    /**
     * Creates an activity for one test, with the awards 1, which is CODE, and 999: all tests share one store and one
     * broker.
     */
    @BeforeEach
    void ownActivity(TestInfo info) {
        test = info.getTestMethod().orElseThrow().getName();
        long number = nextActivity++;
        activity = new ActivityId(number);
        StrategyId strategy = new StrategyId(number);
        events.publish(new GenericDomainEventMessage<>(
                "strategy",
                strategy.text(),
                0,
                new StrategyDefined(
                        strategy,
                        1,
                        StrategyDefinition.of(
                                Mode.SINGLE,
                                List.of(award(1, AwardType.CODE), award(TEXT_AWARD, AwardType.TEXT)),
                                null))));
        activities.create(new ActivityCreated(
                activity,
                new ActivityDefinition(
                        "Codes",
                        null,
                        Instant.parse("2051-01-01T00:00:00Z"),
                        Instant.parse("2052-01-01T00:00:00Z"),
                        ZoneOffset.UTC,
                        strategy,
                        null,
                        null,
                        null,
                        List.of())));
    }

    private static AwardDefinition award(int awardId, AwardType type) {
        return AwardDefinition.of(awardId, "Award " + awardId, type, new BigDecimal("0.5"))
                .build();
    }

    private Invoice won(String key) {
        UserId user = new UserId(test + "-" + key);
        AwardRecordId id = AwardRecordId.of(
                RaffleRequestIdentity.of(new AccountId(activity, user), key).id());
        Invoice invoice = new Invoice(
                id, user, activity, new Invoice.InvoicedAward(1, "A code"), AwardType.CODE, Map.of(), null, 1);
        records.keep(invoice);
        return invoice;
    }

    private static Invoice again(Invoice invoice) {
        return new Invoice(
                invoice.awardRecordId(),
                invoice.userId(),
                invoice.activityId(),
                invoice.award(),
                invoice.type(),
                invoice.content(),
                invoice.amount(),
                invoice.attempt() + 1);
    }

    private List<String> codes(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> test + "-CODE-" + i).toList();
    }

    private MockHttpServletResponse uploaded(int awardId, List<String> codes) throws Exception {
        return web.perform(post(pool(awardId))
                        .contentType(MediaType.APPLICATION_JSON)
                        .content(JsonMapper.shared().writeValueAsString(Map.of("codes", codes))))
                .andReturn()
                .getResponse();
    }

    private JsonNode upload(int awardId, List<String> codes) throws Exception {
        MockHttpServletResponse response = uploaded(awardId, codes);
        assertThat(response.getStatus()).isEqualTo(200);
        return JsonMapper.shared().readTree(response.getContentAsString());
    }

    private String pool(int awardId) {
        return "/api/v1/activities/" + activity.value() + "/award-codes/" + awardId;
    }

    private MockHttpServletResponse read(String path) throws Exception {
        return web.perform(get(path)).andReturn().getResponse();
    }

    private void assertPool(int total, int free, int given) throws Exception {
        JsonNode count = JsonMapper.shared().readTree(read(pool(1)).getContentAsString());
        assertThat(count.toString()).isEqualTo("{\"total\":%d,\"free\":%d,\"given\":%d}".formatted(total, free, given));
    }

    private String codeOf(Invoice invoice) throws Exception {
        MockHttpServletResponse response =
                read("/api/v1/award-records/" + invoice.awardRecordId().text() + "/code");
        assertThat(response.getHeader("Cache-Control")).isEqualTo("no-store");
        return JsonMapper.shared()
                .readTree(response.getContentAsString())
                .path("code")
                .asString();
    }

    /** Returns the answers that the record has stored. */
    private List<AwardEvent> told(Invoice invoice) {
        return records.eventsOf(invoice.awardRecordId()).stream()
                .map(message -> (AwardEvent) message.getPayload())
                .filter(event -> event instanceof AwardGranted || event instanceof AwardGrantRejected)
                .toList();
    }

    private static AwardEvent grantOf(Invoice invoice) {
        return grantOf(invoice, "code:" + invoice.awardRecordId().key());
    }

    private static AwardEvent grantOf(Invoice invoice, String reference) {
        return new AwardGranted(invoice.awardRecordId(), invoice.userId(), reference);
    }

    private static AwardEvent refusalOf(Invoice invoice) {
        return new AwardGrantRejected(
                invoice.awardRecordId(),
                invoice.userId(),
                "code:" + invoice.awardRecordId().key(),
                "no code was left");
    }

    private void awaitTold(Invoice invoice, AwardEvent... events) {
        await(invoice.awardRecordId().text())
                .atMost(LIMIT)
                .untilAsserted(() -> assertThat(told(invoice)).containsExactly(events));
    }

    @Test
    @DisplayName("Each code is given once, however often it is asked for: of 150 winners and 100 codes 50 go without.")
    void hundredCodes() throws Exception {
        List<String> uploaded = codes(0, 100);
        upload(1, uploaded);
        List<Invoice> all = IntStream.range(0, 150).mapToObj(i -> won("w" + i)).toList();
        MessageListenerContainer second = secondReader();
        try {
            all.subList(0, 75).forEach(this::sendThreeTimes);
            invoices.stop(GROUP);
            all.subList(75, 150).forEach(this::sendThreeTimes);
            invoices.start(GROUP);
            awaitAllTold(all);
            assertDecided(all, uploaded);

            // The new codes are for other winners: the refused awards were compensated.
            upload(1, codes(100, 150));
            invoices.stop(GROUP);
            all.forEach(invoice -> invoices.send(again(invoice)));
            invoices.startFromTheBeginning(GROUP);
            invoices.awaitAllRead(GROUP);
            invoices.awaitAllRead(secondGroup());
            assertDecided(all, uploaded);
            assertPool(150, 50, 100);
        } finally {
            second.stop();
        }
    }

    @Test
    @DisplayName(
            "Each code is given once, down to the last one, if two processes decide about the same winners at once.")
    void twoProcesses() throws Exception {
        List<String> uploaded = codes(0, 100);
        upload(1, uploaded);
        List<Invoice> all = IntStream.range(0, 150).mapToObj(i -> won("w" + i)).toList();
        invoices.stop(GROUP);
        all.forEach(invoices::send);
        MessageListenerContainer second = secondReader();
        try {
            invoices.start(GROUP);
            awaitAllTold(all);
            invoices.awaitAllRead(GROUP);
            invoices.awaitAllRead(secondGroup());
            assertDecided(all, uploaded);
            assertPool(100, 0, 100);
        } finally {
            second.stop();
        }
    }

    private void awaitAllTold(List<Invoice> all) {
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(all)
                        .allSatisfy(invoice -> assertThat(told(invoice)).hasSize(1)));
    }

    private void sendThreeTimes(Invoice invoice) {
        invoices.send(invoice, invoice.userId().value());
        invoices.send(invoice, "a" + invoice.userId().value());
        invoices.send(invoice, "b" + invoice.userId().value());
    }

    private String secondGroup() {
        return "another-" + activity.value();
    }

    /** Starts a second process that handles all invoices too. */
    private MessageListenerContainer secondReader() {
        ConcurrentMessageListenerContainer<?, ?> container = readers.createContainer(KafkaTopics.INVOICE);
        container.getContainerProperties().setGroupId(secondGroup());
        container.setupMessageListener(
                requireNonNull(invoices.reader(GROUP).getContainerProperties().getMessageListener()));
        container.setBeanName(secondGroup());
        container.start();
        return container;
    }

    private void assertDecided(List<Invoice> all, List<String> uploaded) throws Exception {
        List<Invoice> winners = all.stream()
                .filter(invoice -> told(invoice).equals(List.of(grantOf(invoice))))
                .toList();
        List<Invoice> losers = all.stream()
                .filter(invoice -> told(invoice).equals(List.of(refusalOf(invoice))))
                .toList();
        assertThat(winners).hasSize(100);
        assertThat(losers).hasSize(50);
        List<String> given = new ArrayList<>();
        for (Invoice winner : winners) {
            given.add(codeOf(winner));
        }
        assertThat(given).containsExactlyInAnyOrderElementsOf(uploaded);
    }

    @Test
    @DisplayName("Codes are given in the order of upload, and are in no event and not readable in the database.")
    void inOrder() throws Exception {
        upload(1, codes(0, 2));
        upload(1, codes(2, 4));
        List<Invoice> all = IntStream.range(0, 4).mapToObj(i -> won("w" + i)).toList();
        for (int i = 0; i < all.size(); i++) {
            invoices.send(all.get(i));
            awaitTold(all.get(i), grantOf(all.get(i)));
            assertThat(codeOf(all.get(i))).isEqualTo(codes(0, 4).get(i));
        }
        assertThat(records.eventsOf(all.getFirst().awardRecordId()))
                .isNotEmpty()
                .allSatisfy(event -> assertThat(event.toString()).doesNotContain("CODE-"));
        assertThat(database.sql("SELECT pool_code::text FROM pool_code WHERE activity_id = ?")
                        .param(activity.value())
                        .query(String.class)
                        .list())
                .hasSize(4)
                .allSatisfy(row -> assertThat(row).contains("local:").doesNotContain("CODE-"));
    }

    @Test
    @DisplayName("A code does not wait for those of other winners.")
    void sideBySide() throws Exception {
        upload(1, codes(0, AT_ONCE_MAX));
        List<Invoice> all =
                IntStream.range(0, AT_ONCE_MAX).mapToObj(i -> won("w" + i)).toList();
        CyclicBarrier meeting =
                records.meet(all.stream().map(Invoice::awardRecordId).toList());
        List<String> keys = invoices.keysOfOnePartition("key-", AT_ONCE_MAX);
        invoices.stop(GROUP);
        for (int i = 0; i < AT_ONCE_MAX; i++) {
            invoices.send(all.get(i), keys.get(i));
        }
        invoices.start(GROUP);
        all.forEach(invoice -> awaitTold(invoice, grantOf(invoice)));
        assertThat(meeting.isBroken()).isFalse();
        assertPool(AT_ONCE_MAX, 0, AT_ONCE_MAX);
    }

    @Test
    @DisplayName("The awards of a batch are decided together: given, refused or known before.")
    void together() throws Exception {
        upload(1, codes(0, 3));
        List<Invoice> all = IntStream.range(0, 6).mapToObj(i -> won("w" + i)).toList();
        List<String> keys = invoices.keysOfOnePartition("key-", 6);
        invoices.send(all.get(0), keys.get(0));
        awaitTold(all.get(0), grantOf(all.get(0)));
        invoices.stop(GROUP);
        for (int i = 0; i < 6; i++) {
            invoices.send(i == 0 ? again(all.get(0)) : all.get(i), keys.get(i));
        }
        invoices.start(GROUP);
        awaitAllTold(all);
        assertThat(all)
                .filteredOn(invoice -> told(invoice).equals(List.of(refusalOf(invoice))))
                .hasSize(3);
        assertPool(3, 0, 3);
        assertThat(database.sql("SELECT count(DISTINCT position) FROM series_number WHERE series = ?")
                        .param("codes:" + activity.value() + "/1")
                        .query(Long.class)
                        .single())
                .as("units of work: of the first one, and of the others together")
                .isEqualTo(2);
    }

    @Test
    @DisplayName("An award is not answered while no codes were ever uploaded.")
    void noPool() throws Exception {
        Invoice invoice = won("w");
        invoices.send(invoice);
        invoices.awaitAllRead(GROUP);
        assertThat(told(invoice)).isEmpty();

        upload(1, codes(0, 1));
        invoices.send(again(invoice));
        awaitTold(invoice, grantOf(invoice));
    }

    @Test
    @DisplayName("An award that another system has answered costs no code.")
    void answeredElsewhere() throws Exception {
        upload(1, codes(0, 1));
        Invoice invoice = won("w");
        assertThat(records.handle(new GrantAward(invoice.awardRecordId(), "by hand")))
                .isNotNull();
        invoices.send(invoice);
        invoices.awaitAllRead(GROUP);
        assertThat(told(invoice)).containsExactly(grantOf(invoice, "by hand"));
        assertPool(1, 1, 0);
    }

    @Nested
    @DisplayName("The pool of an award")
    class AwardCodePool {

        @Test
        @DisplayName("The same list adds nothing twice, and a longer one adds its new codes.")
        void twice() throws Exception {
            assertThat(upload(1, codes(0, 3)).toString())
                    .isEqualTo("{\"added\":3,\"known\":0,\"total\":3,\"free\":3,\"given\":0}");
            assertThat(upload(1, codes(0, 3)).toString())
                    .isEqualTo("{\"added\":0,\"known\":3,\"total\":3,\"free\":3,\"given\":0}");
            assertThat(upload(1, codes(2, 5)).toString())
                    .isEqualTo("{\"added\":2,\"known\":1,\"total\":5,\"free\":5,\"given\":0}");
        }

        @Test
        @DisplayName("One upload may have ten thousand codes.")
        void many() throws Exception {
            assertThat(upload(1, codes(0, 10_000)).path("free").asInt()).isEqualTo(10_000);
            assertThat(upload(1, codes(0, 10_000)).path("added").asInt()).isZero();
        }

        @Test
        @DisplayName("A list with duplicates, control characters, too many codes or none is refused.")
        void malformed() throws Exception {
            assertRefused(uploaded(1, List.of("A", "B", "A")), 400, "INVALID");
            for (String unfit : List.of("", " A", "A\tB", "A\nB", "A ", "\u0007", "A".repeat(201))) {
                assertThat(uploaded(1, List.of(unfit)).getStatus())
                        .as("'" + unfit + "'")
                        .isEqualTo(400);
            }
            assertThat(uploaded(1, List.of()).getStatus()).isEqualTo(400);
            assertThat(uploaded(1, codes(0, 10_001)).getStatus()).isEqualTo(400);
        }

        private static void assertRefused(MockHttpServletResponse response, int status, String words)
                throws UnsupportedEncodingException {
            assertThat(response.getStatus()).isEqualTo(status);
            assertThat(response.getContentAsString()).contains(words);
        }

        @Test
        @DisplayName("Codes for an award that is no CODE award, or does not exist, are refused.")
        void elsewhere() throws Exception {
            for (int none : List.of(TEXT_AWARD, 2)) {
                assertRefused(uploaded(none, codes(0, 1)), 404, "of type CODE");
            }
            activity = new ActivityId(6_999);
            assertRefused(uploaded(1, codes(0, 1)), 404, "activity:6999");
            String nobodys = won("nobody").awardRecordId().text();
            assertRefused(read("/api/v1/award-records/" + nobodys + "/code"), 404, "code of award:");
        }
    }
}
