package lottery.saga.grant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardRecordId;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.api.strategy.AwardType;
import lottery.messaging.BatchPublisher;
import lottery.messaging.OutgoingMessage;
import lottery.messaging.invoice.AwardFulfiller;
import lottery.messaging.invoice.AwardFulfillers;
import lottery.messaging.invoice.Invoice;
import lottery.store.trace.TraceId;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.GenericEventMessage;
import org.axonframework.messaging.unitofwork.BatchingUnitOfWork;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.DefaultUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
@DisplayName("An award that is handed over without a broker")
class DirectHandoverTest {

    private static final ActivityId ACTIVITY = new ActivityId(100);

    /** For handovers that have no reason to take long. */
    private static final Duration LONG = Duration.ofSeconds(30);

    /** For batches that give up handovers because these do not end. */
    private static final Duration SHORT = Duration.ofSeconds(2);

    private final List<List<AwardRecordId>> asked = new CopyOnWriteArrayList<>();
    private final List<TraceId> traces = new CopyOnWriteArrayList<>();
    private final Set<AwardRecordId> refused = new HashSet<>();
    private final Set<AwardRecordId> failing = new HashSet<>();
    private final List<String> ended = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private final List<OutgoingMessage> messages = new ArrayList<>();
    private final Set<AwardRecordId> broken = new HashSet<>();
    private final Set<AwardRecordId> stuck = new HashSet<>();
    private final CountDownLatch goOn = new CountDownLatch(1);
    private boolean isAway;
    private boolean failsByOutage;

    private final AwardFulfiller credits = new AwardFulfiller() {
        @Override
        public AwardType type() {
            return AwardType.CREDIT;
        }

        @Override
        public boolean takes(Invoice invoice) {
            return !invoice.userId().value().equals("stranger");
        }

        @Override
        public Set<AwardRecordId> handOver(List<Invoice> invoices) {
            // The batch's transaction is not that of the handover.
            assertThat(CurrentUnitOfWork.isStarted()).isFalse();
            List<AwardRecordId> ids =
                    invoices.stream().map(Invoice::awardRecordId).toList();
            asked.add(ids);
            invoices.stream().map(Invoice::trace).filter(Objects::nonNull).forEach(traces::add);
            if (ids.stream().anyMatch(stuck::contains)) {
                awaitGoOn();
            }
            if (ids.stream().anyMatch(broken::contains)) {
                throw new NoClassDefFoundError("a class is gone");
            }
            if (isAway || ids.stream().anyMatch(failing::contains)) {
                throw new IllegalStateException("not now");
            }
            Set<AwardRecordId> granted = new HashSet<>(ids);
            granted.removeAll(refused);
            return granted;
        }
    };

    private DirectHandover direct = direct(LONG);

    private InvoiceSender invoices = invoices();

    private DirectHandover direct(Duration waitMax) {
        return new DirectHandover(
                Set.of(AwardType.CREDIT, AwardType.CODE),
                new AwardFulfillers(List.of(credits)),
                (type, association) -> ended.add(type.getSimpleName() + " " + association),
                _ -> isAway || failsByOutage,
                waitMax);
    }

    private InvoiceSender invoices() {
        return new InvoiceSender(direct, new BatchPublisher(message -> {
            messages.add(message);
            return CompletableFuture.completedFuture(message);
        }));
    }

    private void waitAtMost(Duration waitMax) {
        direct.destroy();
        direct = direct(waitMax);
        invoices = invoices();
    }

    private void awaitGoOn() {
        try {
            assertThat(goOn.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void close() {
        goOn.countDown();
        direct.destroy();
    }

    private static Invoice invoice(AwardType type, String user) {
        return invoice(type, user, "key");
    }

    private static Invoice invoice(AwardType type, String user, String key) {
        UserId winner = new UserId(user);
        return new Invoice(
                AwardRecordId.of(RaffleRequestIdentity.of(new AccountId(ACTIVITY, winner), key)
                        .id()),
                winner,
                ACTIVITY,
                new Invoice.InvoicedAward(101, "Points"),
                type,
                Map.of(),
                null,
                1);
    }

    private static String sagaOf(Invoice invoice) {
        return "AwardGrantSaga " + invoice.awardRecordId().text();
    }

    private void handOver(Invoice... all) {
        EventMessage<?> event = new GenericEventMessage<>("a batch");
        BatchingUnitOfWork<EventMessage<?>> batch = new BatchingUnitOfWork<>(event);
        batch.executeWithResult(() -> {
            for (Invoice invoice : all) {
                invoices.send(invoice, Instant.EPOCH, told::add);
            }
            assertThat(asked).as("before the end of the batch").isEmpty();
            return "handled";
        });
        if (batch.isRolledBack()) {
            throw new IllegalStateException(
                    "rolled back", batch.getExecutionResult().getExceptionResult());
        }
    }

    @Test
    @DisplayName("The handover has the trace of its request.")
    void traced() {
        TraceId trace = TraceId.fresh();
        try (var _ = TraceId.open(trace)) {
            handOver(invoice(AwardType.CREDIT, "ann"), invoice(AwardType.CREDIT, "ben"));
        }
        assertThat(traces).containsExactly(trace, trace);
    }

    @Test
    @DisplayName("The awards of a batch are handed over together, and their sagas end with the batch.")
    void together() {
        Invoice ann = invoice(AwardType.CREDIT, "ann");
        Invoice ben = invoice(AwardType.CREDIT, "ben");
        handOver(ann, ben, ben);
        assertThat(asked).containsExactly(List.of(ann.awardRecordId(), ben.awardRecordId()));
        assertThat(ended).containsExactlyInAnyOrder(sagaOf(ann), sagaOf(ben));
        assertThat(messages).isEmpty();
    }

    @Test
    @DisplayName("An award without a fulfiller here, or of a type that is not named, is sent to the broker.")
    void elsewhere() {
        handOver(invoice(AwardType.CODE, "ann"), invoice(AwardType.TEXT, "ben"), invoice(AwardType.CREDIT, "stranger"));
        assertThat(asked).isEmpty();
        assertThat(messages).hasSize(3);
    }

    @Test
    @DisplayName("A refused or failed award leaves its saga open, and harms no other award.")
    void oneAtFault() {
        Invoice ann = invoice(AwardType.CREDIT, "ann");
        Invoice ben = invoice(AwardType.CREDIT, "ben");
        Invoice cat = invoice(AwardType.CREDIT, "cat");
        refused.add(ann.awardRecordId());
        failing.add(ben.awardRecordId());
        handOver(ann, ben, cat);
        assertThat(ended).containsExactly(sagaOf(cat));
        assertThat(told).singleElement().asString().contains("not now");
        assertThat(asked).as("all, and then in halves").hasSize(5);
    }

    @Test
    @DisplayName("An award that fails with an error leaves its saga open, and harms no other award.")
    void error() {
        Invoice ann = invoice(AwardType.CREDIT, "ann");
        Invoice ben = invoice(AwardType.CREDIT, "ben");
        broken.add(ann.awardRecordId());
        handOver(ann, ben);
        assertThat(ended).containsExactly(sagaOf(ben));
        assertThat(told).singleElement().asString().contains("a class is gone");
    }

    @Test
    @DisplayName("Outside of a batch the handover follows the commit, and the saga receives the event.")
    void swept() {
        UnitOfWork<?> sweep = DefaultUnitOfWork.startAndGet(new GenericEventMessage<>("a moment"));
        sweep.onCommit(_ -> assertThat(asked).isEmpty());
        direct.handOver(invoice(AwardType.CREDIT, "ann"), told::add);
        sweep.commit();
        assertThat(asked).hasSize(1);
    }

    @Test
    @DisplayName("32 awards of different users are handed over together.")
    void many() {
        handOver(IntStream.range(0, 100)
                .mapToObj(i -> invoice(AwardType.CREDIT, "user" + i))
                .toArray(Invoice[]::new));
        assertThat(asked).extracting(List::size).containsExactlyInAnyOrder(32, 32, 32, 4);
        assertThat(ended).hasSize(100);
    }

    @Test
    @DisplayName("All awards of a user are handed over together, so that no handover waits for another one.")
    void oneGroupForUser() {
        handOver(IntStream.range(0, 100)
                .mapToObj(i -> invoice(AwardType.CREDIT, "user%02d".formatted(i / 10), "key" + i))
                .toArray(Invoice[]::new));
        assertThat(asked).extracting(List::size).containsExactlyInAnyOrder(30, 30, 30, 10);
        assertThat(ended).hasSize(100);
    }

    @Test
    @DisplayName(
            "The awards of a user who has many are handed over one part after the other, as far as the time allows.")
    void manyOfOneUser() {
        Invoice[] all = IntStream.range(0, 100)
                .mapToObj(i -> invoice(AwardType.CREDIT, "ann", "key" + i))
                .toArray(Invoice[]::new);
        handOver(all);
        assertThat(asked).extracting(List::size).containsExactly(32, 32, 32, 4);
        assertThat(ended).hasSize(100);

        waitAtMost(SHORT);
        stuck.add(asked.get(2).getFirst());
        asked.clear();
        ended.clear();
        handOver(all);
        assertThat(ended).as("those of the first two parts").hasSize(64);
    }

    @Test
    @DisplayName("An award that takes too long is left to its saga, and delays no others.")
    void tooLong() {
        Invoice[] all = IntStream.range(0, 64)
                .mapToObj(i -> invoice(AwardType.CREDIT, "user%02d".formatted(i)))
                .toArray(Invoice[]::new);
        waitAtMost(SHORT);
        stuck.add(all[0].awardRecordId());
        handOver(all);
        assertThat(ended).as("those of the other window").hasSize(32).doesNotContain(sagaOf(all[0]));
        assertThat(told).as("nobody is at fault").isEmpty();

        asked.clear();
        handOver(all[0]);
        assertThat(ended).hasSize(32);
    }

    @Test
    @DisplayName("A batch that has failed hands over nothing more, because it comes again.")
    void nothingAfterFailure() {
        Invoice[] all = IntStream.range(0, 65)
                .mapToObj(i -> invoice(AwardType.CREDIT, i == 0 ? "abe" : "ann", "key" + i))
                .toArray(Invoice[]::new);
        failing.add(all[0].awardRecordId());
        failsByOutage = true;
        Stream.of(all).skip(1).map(Invoice::awardRecordId).forEach(stuck::add);
        assertThatThrownBy(() -> handOver(all)).hasStackTraceContaining("not now");
        goOn.countDown();
        await().during(Duration.ofMillis(500))
                .until(() -> asked.stream().mapToInt(List::size).sum() <= 33);
    }

    @Test
    @DisplayName("An operator's handover that takes too long is given up.")
    void tooLongForPerson() {
        Invoice ann = invoice(AwardType.CREDIT, "ann");
        waitAtMost(SHORT);
        stuck.add(ann.awardRecordId());
        assertThatThrownBy(() -> direct.handOverNow(ann)).isInstanceOf(TimeoutException.class);
    }

    @Test
    @DisplayName("During an outage after the commit the award is left to its saga.")
    void sweptInVain(CapturedOutput output) {
        isAway = true;
        UnitOfWork<?> sweep = DefaultUnitOfWork.startAndGet(new GenericEventMessage<>("a moment"));
        direct.handOver(invoice(AwardType.CREDIT, "ann"), told::add);
        sweep.commit();
        assertThat(asked).hasSize(1);
        assertThat(told).isEmpty();
        assertThat(output).contains("1 awards could not be handed over directly");
    }

    @Test
    @DisplayName("During an outage the whole batch fails and comes again.")
    void outage() {
        isAway = true;
        Invoice ann = invoice(AwardType.CREDIT, "ann");
        assertThatThrownBy(() -> handOver(ann)).hasStackTraceContaining("not now");
        assertThat(ended).isEmpty();
    }
}
