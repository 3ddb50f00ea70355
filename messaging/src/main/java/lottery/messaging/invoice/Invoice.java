package lottery.messaging.invoice;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import lottery.api.Command;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.award.Address;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardRecordId;
import lottery.api.strategy.AwardType;
import lottery.messaging.CloudEventCodec;
import lottery.messaging.KafkaTopics;
import lottery.messaging.OutgoingMessage;
import lottery.store.trace.TraceId;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.commandhandling.GenericCommandMessage;
import org.axonframework.messaging.MetaData;
import org.jspecify.annotations.Nullable;

/**
 * Asks fulfilment to hand one award over.
 *
 * @param content what fulfilment needs for that, by the award's type
 * @param amount how much of the award, if that varies
 * @param attempt counts from 1; each attempt is a message of its own, each copy of an attempt is the same message
 * @param trace of the request that its message follows from, once it is received; it stands outside
 */
public record Invoice(
        AwardRecordId awardRecordId,
        UserId userId,
        ActivityId activityId,
        InvoicedAward award,
        AwardType type,
        Map<String, String> content,

        @Nullable @JsonFormat(shape = JsonFormat.Shape.STRING)
        BigDecimal amount,

        int attempt,

        @JsonIgnore @Nullable TraceId trace) {

    public static final String MESSAGE_TYPE = "lottery.invoice.v1";

    private static final String SOURCE = "/lottery/journeys/grant";

    /** Stands outside, too: most of those who read invoices hand one type over, and need not open the others. */
    private static final String AWARD_TYPE = "awardtype";

    /** What was won, as the strategy calls it. */
    public record InvoicedAward(int awardId, String title) {

        public InvoicedAward {
            Objects.requireNonNull(title, "title");
        }
    }

    public Invoice {
        Objects.requireNonNull(awardRecordId, "awardRecordId");
        Objects.requireNonNull(userId, "userId");
        Objects.requireNonNull(activityId, "activityId");
        Objects.requireNonNull(award, "award");
        Objects.requireNonNull(type, "type");
        content = Map.copyOf(Objects.requireNonNull(content, "content"));
        if (attempt < 1) {
            throw new IllegalArgumentException("attempts count from 1");
        }
    }

    /** As it is sent. */
    public Invoice(
            AwardRecordId awardRecordId,
            UserId userId,
            ActivityId activityId,
            InvoicedAward award,
            AwardType type,
            Map<String, String> content,
            @Nullable BigDecimal amount,
            int attempt) {
        this(awardRecordId, userId, activityId, award, type, content, amount, attempt, null);
    }

    /**
     * The content of a message, with what stands outside.
     *
     * @throws lottery.messaging.UnreadableMessage whatever is wrong with it
     */
    public static Invoice received(ConsumerRecord<String, byte[]> message) {
        Invoice sent = CloudEventCodec.decode(message, MESSAGE_TYPE, Invoice.class);
        return new Invoice(
                sent.awardRecordId,
                sent.userId,
                sent.activityId,
                sent.award,
                sent.type,
                sent.content,
                sent.amount,
                sent.attempt,
                CloudEventCodec.trace(message).orElse(null));
    }

    public static Invoice of(AwardWon won, int attempt) {
        return new Invoice(
                won.awardRecordId(),
                won.userId(),
                won.activityId(),
                new InvoicedAward(won.award().awardId(), won.award().title()),
                won.award().type(),
                won.config(),
                won.award().amount(),
                attempt);
    }

    /** With where to: what of that the winner says counts, and not what the award's config says by the same names. */
    public Invoice to(Address address) {
        Map<String, String> more = new HashMap<>(content);
        more.put("name", address.name());
        more.put("phone", address.phone());
        more.put("address", address.address());
        more.compute("postalCode", (key, configured) -> address.postalCode());
        more.compute("note", (key, configured) -> address.note());
        return new Invoice(awardRecordId, userId, activityId, award, type, more, amount, attempt);
    }

    /** The next attempt. */
    public Invoice again() {
        return new Invoice(awardRecordId, userId, activityId, award, type, content, amount, attempt + 1);
    }

    /** As it is handed over directly: with the request for which the current thread works. */
    public Invoice traced() {
        return new Invoice(
                awardRecordId,
                userId,
                activityId,
                award,
                type,
                content,
                amount,
                attempt,
                TraceId.current().orElse(null));
    }

    /** Whether it is for the same, in another attempt perhaps. */
    public boolean asksTheSameAs(Invoice other) {
        return equals(new Invoice(
                other.awardRecordId,
                other.userId,
                other.activityId,
                other.award,
                other.type,
                other.content,
                other.amount,
                attempt,
                trace));
    }

    /** A command that follows from the same request as this. */
    public <C extends Command<?>> CommandMessage<C> commandMessage(C command) {
        return new GenericCommandMessage<>(command, trace == null ? MetaData.emptyInstance() : trace.metaData());
    }

    /** Whether it is of another type, as far as its message says so without being opened. */
    public static boolean isForOthers(ConsumerRecord<String, byte[]> message, AwardType type) {
        return CloudEventCodec.extension(message, AWARD_TYPE)
                .filter(name -> !name.equals(type.name()))
                .isPresent();
    }

    /** Made of the invoice alone: a journey that is replayed after a crash writes the same message again. */
    public OutgoingMessage outgoing(Instant time) {
        return new OutgoingMessage(
                KafkaTopics.INVOICE,
                userId.value(),
                awardRecordId.text() + "/invoice/" + attempt,
                MESSAGE_TYPE,
                SOURCE,
                awardRecordId.text(),
                time,
                this,
                Map.of(AWARD_TYPE, type.name()));
    }
}
