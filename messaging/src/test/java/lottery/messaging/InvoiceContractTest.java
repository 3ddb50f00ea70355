package lottery.messaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardRecordId;
import lottery.api.strategy.AwardType;
import lottery.messaging.invoice.Invoice;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An invoice")
class InvoiceContractTest {

    @Test
    @DisplayName("An invoice is written exactly as in the approved document.")
    void writtenAsApproved() throws IOException {
        Invoice invoice = new Invoice(
                AwardRecordId.of("award:0e-3f1c1f0e-6e43-8b6f-9d55-2f6f1f0a7c11"),
                new UserId("ann"),
                new ActivityId(100),
                new Invoice.InvoicedAward(101, "A cup of coffee"),
                AwardType.CREDIT,
                Map.of("text", "Show this"),
                new BigDecimal("8.80"),
                1);
        OutgoingMessage message = new OutgoingMessage(
                KafkaTopics.INVOICE, "ann", "id", Invoice.MESSAGE_TYPE, "/test", "subject", Instant.EPOCH, invoice);
        assertThat(new String(CloudEventCodec.encode(message).value(), UTF_8) + "\n")
                .isEqualTo(Files.readString(Path.of("src/test/resources/messages/lottery.invoice.v1.json")));
    }
}
