package lottery.messaging.feed;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardRecordId;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.strategy.AwardType;
import lottery.messaging.EncodedMessages;
import lottery.messaging.behaviour.BehaviourMessage;
import lottery.messaging.draw.QueuedDrawRequest;
import lottery.messaging.invoice.FulfilmentSample;
import lottery.messaging.invoice.Invoice;

/** A message type and a sample of it. */
record MessageContract(String type, Object sample) {

    private static final MessageContract INVOICE = new MessageContract(
            Invoice.MESSAGE_TYPE,
            new Invoice(
                    AwardRecordId.of("award:0e-3f1c1f0e-6e43-8b6f-9d55-2f6f1f0a7c11"),
                    new UserId("ann"),
                    new ActivityId(100),
                    new Invoice.InvoicedAward(101, "A cup of coffee"),
                    AwardType.CREDIT,
                    Map.of("text", "Show this"),
                    new BigDecimal("8.80"),
                    1));

    private static final MessageContract FULFILMENT =
            new MessageContract(FulfilmentSample.TYPE, FulfilmentSample.SAMPLE);

    private static final MessageContract BEHAVIOUR = new MessageContract(
            BehaviourMessage.MESSAGE_TYPE, new BehaviourMessage(new UserId("ann"), "share", "share-1"));

    private static final MessageContract DRAW_REQUEST = new MessageContract(
            QueuedDrawRequest.MESSAGE_TYPE,
            new QueuedDrawRequest(
                    RaffleOrderId.of("order:33-bef247b3-909b-8dd0-9e1c-a863e4e0a5ba"),
                    new ActivityId(100),
                    new UserId("ann"),
                    1,
                    Instant.parse("2026-11-21T04:00:00Z")));

    static List<MessageContract> invoices() {
        return List.of(INVOICE);
    }

    static List<MessageContract> answers() {
        return List.of(FULFILMENT);
    }

    static List<MessageContract> behaviours() {
        return List.of(BEHAVIOUR);
    }

    static List<MessageContract> drawRequests() {
        return List.of(DRAW_REQUEST);
    }

    static List<MessageContract> events() {
        return FeedSamples.samples().stream()
                .map(news -> new MessageContract(FeedSamples.typeOf(news), news))
                .toList();
    }

    static List<MessageContract> all() {
        return Stream.of(invoices(), answers(), behaviours(), drawRequests(), events())
                .flatMap(List::stream)
                .toList();
    }

    String schema() {
        return MessageSchemas.of(sample.getClass());
    }

    /** Returns the sample as its readers get it. */
    String sampleJson() {
        return EncodedMessages.jsonOf(sample);
    }

    @Override
    public String toString() {
        return type;
    }
}
