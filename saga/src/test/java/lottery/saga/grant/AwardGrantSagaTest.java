package lottery.saga.grant;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import lottery.api.Answer;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.award.Address;
import lottery.api.award.AwardCommand.ConfirmDispatch;
import lottery.api.award.AwardCommand.EraseAddress;
import lottery.api.award.AwardCommand.FailDispatch;
import lottery.api.award.AwardCommand.LeaveToDesk;
import lottery.api.award.AwardEvent.AwardAddressErased;
import lottery.api.award.AwardEvent.AwardClaimed;
import lottery.api.award.AwardEvent.AwardCompensated;
import lottery.api.award.AwardEvent.AwardDispatched;
import lottery.api.award.AwardEvent.AwardForfeited;
import lottery.api.award.AwardEvent.AwardGrantRejected;
import lottery.api.award.AwardEvent.AwardGranted;
import lottery.api.award.AwardEvent.AwardLeftToDesk;
import lottery.api.award.AwardEvent.AwardReleased;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardRecordId;
import lottery.api.award.AwardState;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.GrantTime;
import lottery.api.strategy.GrantTime.Timing;
import lottery.api.strategy.Remedy;
import lottery.messaging.BatchPublisher;
import lottery.messaging.KafkaTopics;
import lottery.messaging.OutgoingMessage;
import lottery.messaging.invoice.AwardFulfillers;
import lottery.messaging.invoice.Invoice;
import lottery.saga.command.SagaCommands;
import lottery.store.trace.TraceId;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.axonframework.commandhandling.SimpleCommandBus;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.commandhandling.gateway.DefaultCommandGateway;
import org.axonframework.eventhandling.GenericEventMessage;
import org.axonframework.messaging.unitofwork.DefaultUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.axonframework.test.saga.SagaTestFixture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The saga of a won award")
class AwardGrantSagaTest {

    private static final ActivityId ACTIVITY = new ActivityId(100);
    private static final UserId ANN = new UserId("ann");
    private static final AwardRecordId ID = recordOf(ANN);
    private static final AwardRecordId OTHER = recordOf(new UserId("ben"));
    private static final AwardWon WON = won(AwardType.TEXT);
    private static final AwardDispatched DISPATCHED = new AwardDispatched(ID, ANN);
    private static final AwardGranted GRANTED = new AwardGranted(ID, ANN, "receipt");
    private static final AwardGrantRejected REJECTED = new AwardGrantRejected(ID, ANN, "receipt", "closed");

    private static final CommandGateway NO_COMMANDS = DefaultCommandGateway.builder()
            .commandBus(SimpleCommandBus.builder().build())
            .build();

    private final SagaTestFixture<AwardGrantSaga> fixture = new SagaTestFixture<>(AwardGrantSaga.class);
    private final List<OutgoingMessage> sent = new ArrayList<>();
    private @Nullable RuntimeException refusal;

    private static final Instant NOON = Instant.parse("2026-11-21T04:00:01Z");

    private static AwardWon won(AwardType type) {
        return won(type, GrantTime.AT_ONCE);
    }

    private static AwardWon won(AwardType type, GrantTime grant) {
        return new AwardWon(
                ID,
                ACTIVITY,
                ANN,
                new Prize(101, "Coffee", type, 1, null),
                false,
                null,
                Map.of("text", "Show this"),
                grant,
                Remedy.SUBSTITUTE,
                null,
                Instant.parse("2026-11-21T04:00:00Z"),
                null);
    }

    private static AwardRecordId recordOf(UserId user) {
        return AwardRecordId.of(
                RaffleRequestIdentity.of(new AccountId(ACTIVITY, user), "first").id());
    }

    private final BatchPublisher batchPublisher = new BatchPublisher(message -> {
        sent.add(message);
        return refusal == null ? CompletableFuture.completedFuture(message) : CompletableFuture.failedFuture(refusal);
    });
    private final InvoiceSender invoices = new InvoiceSender(
            new DirectHandover(
                    Set.of(), new AwardFulfillers(List.of()), (_, _) -> {}, _ -> false, Duration.ofSeconds(1)),
            batchPublisher);
    private final PersonalTextsInMemory texts = new PersonalTextsInMemory();
    private final List<String> waiting = new ArrayList<>();
    private final OperatorQueue operatorQueue = new OperatorQueue() {
        @Override
        public void note(Invoice invoice, AwardAwaitingOperator.WaitsFor what, Instant now, String cause) {
            waiting.add(what + " " + cause);
        }

        @Override
        public void remove(AwardRecordId id) {
            waiting.clear();
        }
    };

    @BeforeEach
    void resources() {
        fixture.registerResource(InstantSource.fixed(NOON));
        fixture.registerResource(invoices);
        fixture.registerResource(texts);
        fixture.registerResource(new SagaCommands(Runnable::run));
        fixture.registerResource(operatorQueue);
        fixture.setCallbackBehavior((command, metaData) -> Answer.done(AwardState.DISPATCHED));
    }

    @Test
    @DisplayName("An award that was granted with its win has no saga.")
    void grantedWithTheWin() {
        AwardWon granted = new AwardWon(
                ID,
                ACTIVITY,
                ANN,
                WON.award(),
                false,
                null,
                WON.config(),
                GrantTime.AT_ONCE,
                Remedy.SUBSTITUTE,
                null,
                WON.wonAt(),
                "text:" + ID.key());
        fixture.givenNoPriorActivity()
                .whenPublishingA(granted)
                .expectActiveSagas(0)
                .expectDispatchedCommands();
        assertThat(sent).isEmpty();
    }

    @Test
    @DisplayName("The saga begins with an invoice in the user's partition.")
    void won() {
        fixture.givenNoPriorActivity()
                .whenPublishingA(WON)
                .expectActiveSagas(1)
                .expectAssociationWith("awardRecordId", ID.text())
                .expectNoDispatchedCommands();
        assertThat(sent)
                .containsExactly(new OutgoingMessage(
                        KafkaTopics.INVOICE,
                        "ann",
                        ID.text() + "/invoice/1",
                        "lottery.invoice.v1",
                        "/lottery/sagas/grant",
                        ID.text(),
                        Instant.parse("2026-11-21T04:00:00Z"),
                        new Invoice(
                                ID,
                                ANN,
                                ACTIVITY,
                                new Invoice.InvoicedAward(101, "Coffee"),
                                AwardType.TEXT,
                                Map.of("text", "Show this"),
                                null,
                                1),
                        Map.of("awardtype", "TEXT")));
    }

    @Test
    @DisplayName("Each later invoice and command has the trace of the request that won the award.")
    void traced() {
        TraceId request = TraceId.fresh();
        AwardGrantSaga saga = new AwardGrantSaga();
        SagaCommands sagaCommands = new SagaCommands(Runnable::run);
        InstantSource clock = InstantSource.fixed(NOON);
        try (var _ = TraceId.open(request)) {
            inBatch(() -> saga.on(WON, clock, invoices, texts, sagaCommands, operatorQueue, NO_COMMANDS));
        }
        SimpleCommandBus bus = SimpleCommandBus.builder().build();
        List<TraceId> dispatched = new ArrayList<>();
        bus.subscribe(ConfirmDispatch.class.getName(), message -> {
            TraceId.in(message).ifPresent(dispatched::add);
            return Answer.done(AwardState.DISPATCHED);
        });
        CommandGateway commands =
                DefaultCommandGateway.builder().commandBus(bus).build();
        inBatch(() -> saga.goOn(NOON.plusSeconds(5), invoices, texts, sagaCommands, commands));
        assertThat(dispatched).containsExactly(request);
        inBatch(() -> saga.goOn(NOON.plus(Duration.ofHours(1)), invoices, texts, sagaCommands, NO_COMMANDS));
        assertThat(sent)
                .extracting(message -> message.extensions().getOrDefault("traceparent", "none"))
                .containsExactly(
                        request.traceparent(ID.text() + "/invoice/1"), request.traceparent(ID.text() + "/invoice/2"));
    }

    private static void inBatch(Runnable work) {
        UnitOfWork<?> batch = DefaultUnitOfWork.startAndGet(GenericEventMessage.asEventMessage("batch"));
        batch.registerCorrelationDataProvider(
                _ -> TraceId.current().<Map<String, ?>>map(TraceId::metaData).orElse(Map.of()));
        batch.execute(work);
    }

    @Test
    @DisplayName("The saga sends no invoice without an address. A parcel that may be on its way goes to the desk then.")
    void erasedAddress() {
        Address address = new Address("Ann", "1", "1 High Street", null, null);
        AwardGrantSaga saga = new AwardGrantSaga();
        SagaCommands sagaCommands = new SagaCommands(Runnable::run);
        InstantSource clock = InstantSource.fixed(NOON);
        List<Object> asked = new ArrayList<>();
        SimpleCommandBus bus = SimpleCommandBus.builder().build();
        for (Class<?> each : List.of(EraseAddress.class, ConfirmDispatch.class, LeaveToDesk.class)) {
            bus.subscribe(each.getName(), message -> {
                asked.add(message.getPayload());
                return Answer.done(AwardState.WON);
            });
        }
        CommandGateway commands =
                DefaultCommandGateway.builder().commandBus(bus).build();
        AwardClaimed erased = new AwardClaimed(ID, ANN, texts.seal("ann", ID.text(), address.text()));
        texts.erase("ann", texts.keyOf("ann").orElseThrow());
        AwardClaimed claimed = new AwardClaimed(ID, ANN, texts.seal("ann", ID.text(), address.text()));

        inBatch(() -> saga.on(won(AwardType.PHYSICAL), clock, invoices, texts, sagaCommands, operatorQueue, commands));
        inBatch(() -> saga.on(erased, clock, invoices, texts, sagaCommands, operatorQueue, commands));
        inBatch(() -> saga.goOn(NOON, invoices, texts, sagaCommands, commands));
        assertThat(sent).isEmpty();
        assertThat(asked).containsExactly(new EraseAddress(ID));

        inBatch(() -> saga.on(
                new AwardAddressErased(ID, ANN), clock, invoices, texts, sagaCommands, operatorQueue, commands));
        inBatch(() -> saga.on(claimed, clock, invoices, texts, sagaCommands, operatorQueue, commands));
        assertThat(sent)
                .singleElement()
                .satisfies(message ->
                        assertThat(((Invoice) message.content()).content()).containsEntry("address", "1 High Street"));

        texts.erase("ann", texts.keyOf("ann").orElseThrow());
        inBatch(() -> saga.goOn(NOON, invoices, texts, sagaCommands, commands));
        inBatch(() -> saga.goOn(NOON.plus(Duration.ofDays(3)), invoices, texts, sagaCommands, commands));
        assertThat(sent).hasSize(1);
        assertThat(asked)
                .containsExactly(
                        new EraseAddress(ID),
                        new ConfirmDispatch(ID, 1),
                        new LeaveToDesk(ID, "its address was erased, and fulfilment has not answered 1 invoices"));
    }

    @Test
    @DisplayName("The saga sends the invoice when the award is released.")
    void released() {
        fixture.givenAPublished(won(AwardType.TEXT, new GrantTime(Timing.MANUAL, null)))
                .whenPublishingA(new AwardReleased(ID, ANN))
                .expectActiveSagas(1);
        assertThat(sent).hasSize(1);
    }

    @Test
    @DisplayName("The saga reports an invoice that the broker will never take to the record, and goes on.")
    void refusedByTheBroker() {
        refusal = new RecordTooLargeException("too large");
        fixture.givenNoPriorActivity()
                .whenPublishingA(WON)
                .expectActiveSagas(1)
                .expectDispatchedCommands(new FailDispatch(ID, 1, refusal.toString()));
    }

    @Test
    @DisplayName("The saga begins once.")
    void wonAgain() {
        fixture.givenAPublished(WON).whenPublishingA(WON).expectActiveSagas(1).expectNoDispatchedCommands();
        assertThat(sent).hasSize(1);
    }

    @Test
    @DisplayName("The saga goes on when the dispatch is recorded, and sends nothing.")
    void dispatched() {
        fixture.givenAPublished(WON)
                .whenPublishingA(DISPATCHED)
                .expectActiveSagas(1)
                .expectNoDispatchedCommands();
    }

    @Test
    @DisplayName("The saga ends with the grant.")
    void granted() {
        fixture.givenAPublished(WON)
                .andThenAPublished(DISPATCHED)
                .whenPublishingA(GRANTED)
                .expectActiveSagas(0)
                .expectNoDispatchedCommands();
    }

    @Test
    @DisplayName("The saga goes on after a rejection until the award is compensated.")
    void rejected() {
        fixture.givenAPublished(WON)
                .andThenAPublished(DISPATCHED)
                .whenPublishingA(REJECTED)
                .expectActiveSagas(1)
                .expectNoDispatchedCommands();
        fixture.givenAPublished(WON)
                .andThenAPublished(REJECTED)
                .whenPublishingA(new AwardCompensated(ID, ANN, Remedy.SUBSTITUTE, ID.substituteFor(ANN)))
                .expectActiveSagas(0);
    }

    @Test
    @DisplayName("The saga tells the desk why an operator is needed, and when no longer.")
    void onTheDesk() {
        fixture.givenAPublished(WON)
                .andThenAPublished(REJECTED)
                .whenPublishingA(new AwardLeftToDesk(ID, ANN, "nobody knows how"))
                .expectActiveSagas(1);
        assertThat(waiting)
                .containsExactly("PERSON fulfilment has rejected it (receipt): closed", "PERSON nobody knows how");
        fixture.givenAPublished(WON)
                .andThenAPublished(REJECTED)
                .whenPublishingA(GRANTED)
                .expectActiveSagas(0);
        assertThat(waiting).isEmpty();
    }

    @Test
    @DisplayName("The saga ends when the award is forfeited.")
    void forfeited() {
        fixture.givenAPublished(WON)
                .whenPublishingA(new AwardForfeited(ID, ANN, ACTIVITY))
                .expectActiveSagas(0);
    }

    @Test
    @DisplayName("The saga ends with a grant that overtakes the event of the dispatch, which begins no other.")
    void grantedBeforeDispatched() {
        fixture.givenAPublished(WON).whenPublishingA(GRANTED).expectActiveSagas(0);
        fixture.givenAPublished(WON)
                .andThenAPublished(GRANTED)
                .whenPublishingA(DISPATCHED)
                .expectActiveSagas(0);
    }

    @Test
    @DisplayName("A second grant changes nothing.")
    void grantedTwice() {
        fixture.givenAPublished(WON)
                .andThenAPublished(GRANTED)
                .whenPublishingA(GRANTED)
                .expectActiveSagas(0)
                .expectNoDispatchedCommands()
                .expectSuccessfulHandlerExecution();
    }

    @Test
    @DisplayName("The grant of another award does not end the saga.")
    void ownGrantOnly() {
        fixture.givenAPublished(WON)
                .whenPublishingA(new AwardGranted(OTHER, new UserId("ben"), "receipt"))
                .expectActiveSagas(1);
    }
}
