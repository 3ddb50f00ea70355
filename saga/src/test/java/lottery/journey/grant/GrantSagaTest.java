package lottery.journey.grant;

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
import lottery.api.award.AwardCommand.ConfirmDispatch;
import lottery.api.award.AwardCommand.FailDispatch;
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
import lottery.api.raffle.Request;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.GrantTime;
import lottery.api.strategy.GrantTime.Timing;
import lottery.api.strategy.Remedy;
import lottery.journey.command.SagaCommands;
import lottery.messaging.BatchPublisher;
import lottery.messaging.KafkaTopics;
import lottery.messaging.OutgoingMessage;
import lottery.messaging.invoice.AwardFulfillers;
import lottery.messaging.invoice.Invoice;
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

@DisplayName("The journey of a won award")
class GrantSagaTest {

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

    private final SagaTestFixture<GrantSaga> journey = new SagaTestFixture<>(GrantSaga.class);
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
                Request.of(new AccountId(ACTIVITY, user), "first").id());
    }

    private final BatchPublisher outbox = new BatchPublisher(message -> {
        sent.add(message);
        return refusal == null ? CompletableFuture.completedFuture(message) : CompletableFuture.failedFuture(refusal);
    });
    private final InvoiceSender invoices = new InvoiceSender(
            new DirectHandover(
                    Set.of(), new AwardFulfillers(List.of()), (_, _) -> {}, _ -> false, Duration.ofSeconds(1)),
            outbox);
    private final List<String> waiting = new ArrayList<>();
    private final OperatorQueue waits = new OperatorQueue() {
        @Override
        public void note(Invoice invoice, WaitingAward.WaitsFor what, Instant now, String cause) {
            waiting.add(what + " " + cause);
        }

        @Override
        public void over(AwardRecordId id) {
            waiting.clear();
        }
    };

    @BeforeEach
    void resources() {
        journey.registerResource(InstantSource.fixed(NOON));
        journey.registerResource(invoices);
        journey.registerResource(new SagaCommands(Runnable::run));
        journey.registerResource(waits);
        journey.setCallbackBehavior((command, metaData) -> Answer.done(AwardState.DISPATCHED));
    }

    @Test
    @DisplayName("does not begin where the award was granted in the moment in which it was won")
    void grantedWithTheWin() {
        AwardWon granted = new AwardWon(
                ID,
                ACTIVITY,
                ANN,
                WON.award(),
                null,
                WON.config(),
                GrantTime.AT_ONCE,
                Remedy.SUBSTITUTE,
                null,
                WON.wonAt(),
                "text:" + ID.key());
        journey.givenNoPriorActivity()
                .whenPublishingA(granted)
                .expectActiveSagas(0)
                .expectDispatchedCommands();
        assertThat(sent).isEmpty();
    }

    @Test
    @DisplayName("begins with an invoice to the user's partition")
    void won() {
        journey.givenNoPriorActivity()
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
                        "/lottery/journeys/grant",
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
    @DisplayName("remembers what request has won, and each later invoice and command says so, too")
    void traced() {
        TraceId request = TraceId.fresh();
        GrantSaga saga = new GrantSaga();
        SagaCommands sagaCommands = new SagaCommands(Runnable::run);
        InstantSource clock = InstantSource.fixed(NOON);
        try (var _ = TraceId.open(request)) {
            inBatch(() -> saga.on(WON, clock, invoices, sagaCommands, waits, NO_COMMANDS));
        }
        SimpleCommandBus bus = SimpleCommandBus.builder().build();
        List<TraceId> dispatched = new ArrayList<>();
        bus.subscribe(ConfirmDispatch.class.getName(), message -> {
            TraceId.in(message).ifPresent(dispatched::add);
            return Answer.done(AwardState.DISPATCHED);
        });
        CommandGateway commands =
                DefaultCommandGateway.builder().commandBus(bus).build();
        inBatch(() -> saga.goOn(NOON.plusSeconds(5), invoices, sagaCommands, commands));
        assertThat(dispatched).containsExactly(request);
        inBatch(() -> saga.goOn(NOON.plus(Duration.ofHours(1)), invoices, sagaCommands, NO_COMMANDS));
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
    @DisplayName("asks for what was let go by hand")
    void released() {
        journey.givenAPublished(won(AwardType.TEXT, new GrantTime(Timing.MANUAL, null)))
                .whenPublishingA(new AwardReleased(ID, ANN))
                .expectActiveSagas(1);
        assertThat(sent).hasSize(1);
    }

    @Test
    @DisplayName("notes on its record that the broker will never take its invoice, and goes on")
    void refusedByTheBroker() {
        refusal = new RecordTooLargeException("too large");
        journey.givenNoPriorActivity()
                .whenPublishingA(WON)
                .expectActiveSagas(1)
                .expectDispatchedCommands(new FailDispatch(ID, 1, refusal.toString()));
    }

    @Test
    @DisplayName("is begun once")
    void wonAgain() {
        journey.givenAPublished(WON).whenPublishingA(WON).expectActiveSagas(1).expectNoDispatchedCommands();
        assertThat(sent).hasSize(1);
    }

    @Test
    @DisplayName("goes on when its dispatch was noted, and asks for nothing")
    void dispatched() {
        journey.givenAPublished(WON)
                .whenPublishingA(DISPATCHED)
                .expectActiveSagas(1)
                .expectNoDispatchedCommands();
    }

    @Test
    @DisplayName("ends with the grant")
    void granted() {
        journey.givenAPublished(WON)
                .andThenAPublished(DISPATCHED)
                .whenPublishingA(GRANTED)
                .expectActiveSagas(0)
                .expectNoDispatchedCommands();
    }

    @Test
    @DisplayName("goes on after a rejection until it is made good for")
    void rejected() {
        journey.givenAPublished(WON)
                .andThenAPublished(DISPATCHED)
                .whenPublishingA(REJECTED)
                .expectActiveSagas(1)
                .expectNoDispatchedCommands();
        journey.givenAPublished(WON)
                .andThenAPublished(REJECTED)
                .whenPublishingA(new AwardCompensated(ID, ANN, Remedy.SUBSTITUTE, ID.substituteFor(ANN)))
                .expectActiveSagas(0);
    }

    @Test
    @DisplayName("tells the desk why it waits for a person, and that this is over")
    void onTheDesk() {
        journey.givenAPublished(WON)
                .andThenAPublished(REJECTED)
                .whenPublishingA(new AwardLeftToDesk(ID, ANN, "nobody knows how"))
                .expectActiveSagas(1);
        assertThat(waiting)
                .containsExactly("PERSON fulfilment has rejected it (receipt): closed", "PERSON nobody knows how");
        journey.givenAPublished(WON)
                .andThenAPublished(REJECTED)
                .whenPublishingA(GRANTED)
                .expectActiveSagas(0);
        assertThat(waiting).isEmpty();
    }

    @Test
    @DisplayName("ends when nobody has claimed it")
    void forfeited() {
        journey.givenAPublished(WON)
                .whenPublishingA(new AwardForfeited(ID, ANN))
                .expectActiveSagas(0);
    }

    @Test
    @DisplayName("ends with a grant that overtook the note of the dispatch, and is not begun by that note")
    void grantedBeforeDispatched() {
        journey.givenAPublished(WON).whenPublishingA(GRANTED).expectActiveSagas(0);
        journey.givenAPublished(WON)
                .andThenAPublished(GRANTED)
                .whenPublishingA(DISPATCHED)
                .expectActiveSagas(0);
    }

    @Test
    @DisplayName("is not troubled by a second grant")
    void grantedTwice() {
        journey.givenAPublished(WON)
                .andThenAPublished(GRANTED)
                .whenPublishingA(GRANTED)
                .expectActiveSagas(0)
                .expectNoDispatchedCommands()
                .expectSuccessfulHandlerExecution();
    }

    @Test
    @DisplayName("is its own: another award's grant does not end it")
    void ownGrantOnly() {
        journey.givenAPublished(WON)
                .whenPublishingA(new AwardGranted(OTHER, new UserId("ben"), "receipt"))
                .expectActiveSagas(1);
    }
}
