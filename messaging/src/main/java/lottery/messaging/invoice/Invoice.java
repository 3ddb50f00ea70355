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
 * The request to fulfilment to hand one award over.
 *
 * @param content the facts that fulfilment needs; they depend on the award's type
 * @param amount the won amount, if the amount of the award varies
 * @param attempt the number of the attempt, from 1 on; each attempt has a message id of its own, and copies of an
 *     attempt have the same id
 * @param trace the trace of the request that led to this invoice; a receiver takes it from the message's headers, not
 *     from the content
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

    private static final String SOURCE = "/lottery/sagas/grant";

    /**
     * An extension attribute with the type of the award. Most consumers of invoices hand over one type, and need not
     * decode invoices of other types.
     */
    private static final String AWARD_TYPE = "awardtype";

    /** The award with its id and title in the strategy. */
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

    /** Creates an invoice to send. */
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
     * @throws lottery.messaging.UnreadableMessageException for any fault of the message
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

    /** Adds the address. Its values replace values with the same names in the award's config. */
    public Invoice to(Address address) {
        Map<String, String> more = new HashMap<>(content);
        more.put("name", address.name());
        more.put("phone", address.phone());
        more.put("address", address.address());
        more.compute("postalCode", (key, configured) -> address.postalCode());
        more.compute("note", (key, configured) -> address.note());
        return new Invoice(awardRecordId, userId, activityId, award, type, more, amount, attempt);
    }

    /** Returns the invoice of the next attempt. */
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

    /** Returns whether both invoices are the same request, perhaps in different attempts. */
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

    /** Creates a command message with the trace of this invoice. */
    public <C extends Command<?>> CommandMessage<C> commandMessage(C command) {
        return new GenericCommandMessage<>(command, trace == null ? MetaData.emptyInstance() : trace.metaData());
    }

    /** Returns whether the message's headers say that it is for another type of award. */
    public static boolean isForOthers(ConsumerRecord<String, byte[]> message, AwardType type) {
        return CloudEventCodec.extension(message, AWARD_TYPE)
                .filter(name -> !name.equals(type.name()))
                .isPresent();
    }

    /**
     * Builds the message from the invoice only. A saga that is repeated after a crash therefore builds the same message
     * again.
     */
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
