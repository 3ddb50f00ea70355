package lottery.messaging.invoice;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import lottery.api.award.AwardCommand.GrantAward;
import lottery.api.award.AwardCommand.RejectGrant;
import lottery.api.award.AwardRecordId;
import lottery.messaging.CloudEventCodec;
import lottery.messaging.UnreadableMessageException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("An answer of fulfilment")
class FulfilmentAnswerTest {

    private static final String ID_TEXT = "award:0e-3f1c1f0e-6e43-8b6f-9d55-2f6f1f0a7c11";
    private static final AwardRecordId ID = AwardRecordId.of(ID_TEXT);
    private static final String RECORD = "'awardRecordId':'" + ID_TEXT + "'";

    @Test
    @DisplayName("GRANTED grants the award.")
    void granted() {
        assertThat(read("{" + RECORD + ",'result':'GRANTED','reference':'receipt-1'}")
                        .command())
                .isEqualTo(new GrantAward(ID, "receipt-1"));
    }

    @Test
    @DisplayName("REJECTED rejects the award, with or without a reason.")
    void rejected() {
        assertThat(read("{" + RECORD + ",'result':'REJECTED','reference':'r','reason':'closed'}")
                        .command())
                .isEqualTo(new RejectGrant(ID, "r", "closed"));
        assertThat(read("{" + RECORD + ",'result':'REJECTED','reference':'r'}").command())
                .isEqualTo(new RejectGrant(ID, "r", "no reason was given"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'awardRecordId':'order:0e-3f1c1f0e-6e43-8b6f-9d55-2f6f1f0a7c11','result':'GRANTED','reference':'r'}",
                "{'awardRecordId':'award:7','result':'GRANTED','reference':'r'}",
                "{'result':'GRANTED','reference':'r'}",
                "{" + RECORD + ",'reference':'r'}",
                "{" + RECORD + ",'result':'POSTPONED','reference':'r'}",
                "{" + RECORD + ",'result':'GRANTED'}",
                "{" + RECORD + ",'result':'GRANTED','reference':' '}",
                "{" + RECORD + ",'result':'GRANTED','reference':'\\ud800'}",
                "{" + RECORD + ",'result':'REJECTED','reference':'r','reason':'cut \\udc00 off'}",
                "{" + RECORD + ",'result':'GRANTED','reference':'r'"
            })
    @DisplayName("An answer with missing or invalid fields is unreadable.")
    void withoutSense(String json) {
        assertThatThrownBy(() -> read(json)).isInstanceOf(UnreadableMessageException.class);
    }

    @Test
    @DisplayName("The reference and the reason have a limited length.")
    void bounded() {
        assertThatThrownBy(() -> read("{" + RECORD + ",'result':'GRANTED','reference':'" + "r".repeat(201) + "'}"))
                .isInstanceOf(UnreadableMessageException.class);
        assertThatThrownBy(() -> read(
                        "{" + RECORD + ",'result':'REJECTED','reference':'r','reason':'" + "r".repeat(1_001) + "'}"))
                .isInstanceOf(UnreadableMessageException.class);
    }

    private static FulfilmentAnswer read(String json) {
        ConsumerRecord<String, byte[]> record = new ConsumerRecord<>(
                "topic", 0, 0, ID.text(), json.replace('\'', '"').getBytes(UTF_8));
        Map.of("ce_specversion", "1.0", "ce_id", "1", "ce_source", "/shop", "ce_type", "lottery.fulfilment.v1")
                .forEach((name, value) -> record.headers().add(name, value.getBytes(UTF_8)));
        return CloudEventCodec.decode(record, FulfilmentAnswer.MESSAGE_TYPE, FulfilmentAnswer.class);
    }
}
