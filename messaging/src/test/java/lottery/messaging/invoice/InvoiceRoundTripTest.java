package lottery.messaging.invoice;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardRecordId;
import lottery.api.strategy.AwardType;
import lottery.messaging.CloudEventCodec;
import lottery.messaging.invoice.FulfilmentAnswer.Result;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Fulfilment systems elsewhere rely on these documents: messages like them are read for as long as they are sent. */
@DisplayName("An approved message")
class InvoiceRoundTripTest {

    private static final Path DOCUMENTS = Path.of("src/test/resources/messages");

    private static final AwardRecordId RECORD = AwardRecordId.of("award:0e-3f1c1f0e-6e43-8b6f-9d55-2f6f1f0a7c11");

    static Stream<Arguments> messages() {
        return Stream.of(
                Arguments.of(
                        Invoice.MESSAGE_TYPE,
                        new Invoice(
                                RECORD,
                                new UserId("ann"),
                                new ActivityId(100),
                                new Invoice.InvoicedAward(101, "A cup of coffee"),
                                AwardType.CREDIT,
                                Map.of("text", "Show this"),
                                new BigDecimal("8.80"),
                                1)),
                Arguments.of(
                        FulfilmentAnswer.MESSAGE_TYPE,
                        new FulfilmentAnswer(RECORD, Result.REJECTED, "receipt-2", "no stock at the shop")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("messages")
    @DisplayName("An approved document is read as it was written.")
    void readAsApproved(String type, Object content) throws IOException {
        String approved = Files.readString(DOCUMENTS.resolve(type + ".json")).strip();
        assertThat(CloudEventCodec.decode(record(type, approved), type, content.getClass()))
                .isEqualTo(content);
    }

    private static ConsumerRecord<String, byte[]> record(String type, String json) {
        ConsumerRecord<String, byte[]> record = new ConsumerRecord<>("any", 0, 0, "key", json.getBytes(UTF_8));
        Map.of("ce_specversion", "1.0", "ce_id", "1", "ce_type", type, "ce_source", "/test")
                .forEach((name, value) -> record.headers().add(name, value.getBytes(UTF_8)));
        return record;
    }
}
