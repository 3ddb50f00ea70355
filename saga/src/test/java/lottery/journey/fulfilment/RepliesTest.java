package lottery.journey.fulfilment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import lottery.api.award.AwardCommand.ConfirmDispatch;
import lottery.api.strategy.AwardType;
import lottery.journey.grant.Invoice;
import lottery.journey.letter.Letter;
import lottery.store.trace.TraceId;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

@DisplayName("Who hands one type of awards over")
class RepliesTest {

    private static final String CREDIT =
            "{'awardRecordId':'award:0e-3f1c1f0e-6e43-8b6f-9d55-2f6f1f0a7c11','userId':'ann','activityId':100,"
                    + "'award':{'awardId':1,'title':'Tea'},'type':'CREDIT','content':{},'attempt':1}";

    private static ConsumerRecord<String, byte[]> letter(@Nullable String awardType) {
        ConsumerRecord<String, byte[]> letter = new ConsumerRecord<>(
                "lottery_invoice", 0, 0, "ann", CREDIT.replace('\'', '"').getBytes(UTF_8));
        Map.of("ce_specversion", "1.0", "ce_id", "1", "ce_source", "/a", "ce_type", "lottery.invoice.v1")
                .forEach((name, value) -> letter.headers().add(name, value.getBytes(UTF_8)));
        if (awardType != null) {
            letter.headers().add("ce_awardtype", awardType.getBytes(UTF_8));
        }
        return letter;
    }

    @Test
    @DisplayName("does not open an invoice that says outside that it is of another one")
    void foreign() {
        // Whoever opened it would find that it is for them.
        assertThat(Replies.read(letter("CODE"), AwardType.CREDIT)).isEmpty();
    }

    @Test
    @DisplayName("opens one that says outside that it is of this one, or nothing, and believes what is inside")
    void own() {
        assertThat(Replies.read(letter("CREDIT"), AwardType.CREDIT))
                .map(Invoice::type)
                .contains(AwardType.CREDIT);
        assertThat(Replies.read(letter(null), AwardType.CREDIT))
                .map(Invoice::type)
                .contains(AwardType.CREDIT);
        assertThat(Replies.read(letter("CODE"), AwardType.CODE)).isEmpty();
        assertThat(Replies.read(letter(null), AwardType.CODE)).isEmpty();
    }

    @Test
    @DisplayName(
            "does all for the request that the invoice follows from, which is no part of what the invoice asks for")
    void traced() {
        TraceId request = TraceId.fresh();
        ConsumerRecord<String, byte[]> letter = letter("CREDIT");
        letter.headers().add("traceparent", request.traceparent("1").getBytes(UTF_8));
        Invoice invoice = Replies.read(letter, AwardType.CREDIT).orElseThrow();
        Letter answer = Fulfilment.granted(invoice.awardRecordId(), "r").answerTo(invoice, Instant.EPOCH);
        assertThat(answer.extensions()).containsEntry("traceparent", request.traceparent(answer.id()));
        assertThat(TraceId.in(invoice.message(new ConfirmDispatch(invoice.awardRecordId()))))
                .contains(request);
        assertThat(new JsonMapper().writeValueAsString(invoice)).doesNotContain("trace", request.text());
        Invoice copy = Replies.read(letter("CREDIT"), AwardType.CREDIT).orElseThrow();
        assertThat(invoice.asksTheSameAs(copy)).isTrue();
    }
}
