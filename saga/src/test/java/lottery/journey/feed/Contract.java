package lottery.journey.feed;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardRecordId;
import lottery.api.strategy.AwardType;
import lottery.journey.fulfilment.FulfilmentLetter;
import lottery.journey.grant.Invoice;
import lottery.journey.letter.Sealed;

/** All types of letters, with a sample of each. */
record Contract(String type, Object sample) {

    private static final Contract INVOICE = new Contract(
            Invoice.LETTER_TYPE,
            new Invoice(
                    AwardRecordId.of("award:0e-3f1c1f0e-6e43-8b6f-9d55-2f6f1f0a7c11"),
                    new UserId("ann"),
                    new ActivityId(100),
                    new Invoice.InvoicedAward(101, "A cup of coffee"),
                    AwardType.CREDIT,
                    Map.of("text", "Show this"),
                    new BigDecimal("8.80"),
                    1));

    private static final Contract FULFILMENT = new Contract(FulfilmentLetter.TYPE, FulfilmentLetter.SAMPLE);

    static List<Contract> invoices() {
        return List.of(INVOICE);
    }

    static List<Contract> answers() {
        return List.of(FULFILMENT);
    }

    static List<Contract> events() {
        return Told.samples().stream()
                .map(news -> new Contract(Told.typeOf(news), news))
                .toList();
    }

    static List<Contract> all() {
        return Stream.of(invoices(), answers(), events()).flatMap(List::stream).toList();
    }

    String schema() {
        return LetterSchemas.of(sample.getClass());
    }

    /** As its readers get it. */
    String sampleJson() {
        return Sealed.jsonOf(sample);
    }

    @Override
    public String toString() {
        return type;
    }
}
