package lottery.messaging.invoice;

import lottery.api.award.AwardRecordId;

/** A sample answer of fulfilment, for the tests of all contracts. */
public final class FulfilmentSample {

    public static final String TYPE = FulfilmentAnswer.MESSAGE_TYPE;

    public static final Object SAMPLE = new FulfilmentAnswer(
            AwardRecordId.of("award:0e-3f1c1f0e-6e43-8b6f-9d55-2f6f1f0a7c11"),
            FulfilmentAnswer.Result.REJECTED,
            "receipt-2",
            "no stock at the shop");

    private FulfilmentSample() {}
}
