package lottery.journey.grant;

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
import lottery.journey.letter.Envelope;
import lottery.journey.letter.Letter;
import lottery.journey.letter.Topics;
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
 * @param attempt counts from 1; each attempt is a letter of its own, each copy of an attempt is the same letter
 * @param trace of the request that its letter follows from, once it is received; it stands outside
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

    public static final String LETTER_TYPE = "lottery.invoice.v1";

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
     * The content of a letter, with what stands outside.
     *
     * @throws lottery.journey.letter.Unreadable whatever is wrong with it
     */
    public static Invoice received(ConsumerRecord<String, byte[]> letter) {
        Invoice sent = Envelope.open(letter, LETTER_TYPE, Invoice.class);
        return new Invoice(
                sent.awardRecordId,
                sent.userId,
                sent.activityId,
                sent.award,
                sent.type,
                sent.content,
                sent.amount,
                sent.attempt,
                Envelope.trace(letter).orElse(null));
    }

    static Invoice of(AwardWon won, int attempt) {
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
    Invoice to(Address address) {
        Map<String, String> more = new HashMap<>(content);
        more.put("name", address.name());
        more.put("phone", address.phone());
        more.put("address", address.address());
        more.compute("postalCode", (key, configured) -> address.postalCode());
        more.compute("note", (key, configured) -> address.note());
        return new Invoice(awardRecordId, userId, activityId, award, type, more, amount, attempt);
    }

    /** The next attempt. */
    Invoice again() {
        return new Invoice(awardRecordId, userId, activityId, award, type, content, amount, attempt + 1);
    }

    /** As it is handed over directly: with the request for which the current thread works. */
    Invoice traced() {
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
    public <C extends Command<?>> CommandMessage<C> message(C command) {
        return new GenericCommandMessage<>(command, trace == null ? MetaData.emptyInstance() : trace.metaData());
    }

    /** Whether it is of another type, as far as its letter says so without being opened. */
    public static boolean isForOthers(ConsumerRecord<String, byte[]> letter, AwardType type) {
        return Envelope.extension(letter, AWARD_TYPE)
                .filter(name -> !name.equals(type.name()))
                .isPresent();
    }

    /** Made of the invoice alone: a journey that is replayed after a crash writes the same letter again. */
    Letter letter(Instant time) {
        return new Letter(
                Topics.INVOICE,
                userId.value(),
                awardRecordId.text() + "/invoice/" + attempt,
                LETTER_TYPE,
                SOURCE,
                awardRecordId.text(),
                time,
                this,
                Map.of(AWARD_TYPE, type.name()));
    }
}
