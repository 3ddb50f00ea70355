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
 * @param content the facts that fulfilment needs, by the award's type
 * @param amount the amount of the award, if it varies
 * @param attempt counts from 1; each attempt is a message of its own, each copy of an attempt is the same message
 * @param trace the trace of the request that its message follows from, once it is received; it is not in the content
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

    /** An extension attribute: most consumers of invoices hand one type over, and need not decode the others. */
    private static final String AWARD_TYPE = "awardtype";

    /** The award as the strategy names it. */
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

    /** Makes an invoice that is to be sent. */
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
     * Decodes the content of a message, and adds its trace.
     *
     * @throws lottery.messaging.UnreadableMessage for any fault of the message
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

    /** Adds the address. The winner's values replace values of the same names in the award's config. */
    public Invoice to(Address address) {
        Map<String, String> more = new HashMap<>(content);
        more.put("name", address.name());
        more.put("phone", address.phone());
        more.put("address", address.address());
        more.compute("postalCode", (key, configured) -> address.postalCode());
        more.compute("note", (key, configured) -> address.note());
        return new Invoice(awardRecordId, userId, activityId, award, type, more, amount, attempt);
    }

    /** Returns the next attempt. */
    public Invoice again() {
        return new Invoice(awardRecordId, userId, activityId, award, type, content, amount, attempt + 1);
    }

    /** Adds the trace of the current request, for an award that is handed over directly. */
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

    /** Returns whether both invoices ask for the same, perhaps in different attempts. */
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

    /** Makes a command message with the trace of this invoice. */
    public <C extends Command<?>> CommandMessage<C> commandMessage(C command) {
        return new GenericCommandMessage<>(command, trace == null ? MetaData.emptyInstance() : trace.metaData());
    }

    /** Returns whether the message is for another type, as far as its headers say. */
    public static boolean isForOthers(ConsumerRecord<String, byte[]> message, AwardType type) {
        return CloudEventCodec.extension(message, AWARD_TYPE)
                .filter(name -> !name.equals(type.name()))
                .isPresent();
    }

    /** Makes the message from the invoice alone: a saga that is repeated after a crash makes the same message again. */
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
