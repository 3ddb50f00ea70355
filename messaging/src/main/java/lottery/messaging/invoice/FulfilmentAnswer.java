package lottery.messaging.invoice;

import static lottery.messaging.StorableText.isStorable;

import java.util.Objects;
import lottery.api.award.AwardCommand;
import lottery.api.award.AwardCommand.GrantAward;
import lottery.api.award.AwardCommand.RejectGrant;
import lottery.api.award.AwardRecordId;
import org.jspecify.annotations.Nullable;

/**
 * The answer to an invoice.
 *
 * @param reference the reference of the answering system
 * @param reason why the award was rejected, as a text for operators
 */
public record FulfilmentAnswer(
        AwardRecordId awardRecordId,
        Result result,
        String reference,
        @Nullable String reason) {

    public static final String MESSAGE_TYPE = "lottery.fulfilment.v1";

    private static final int REFERENCE_LENGTH_MAX = 200;
    private static final int REASON_LENGTH_MAX = 1_000;

    enum Result {
        GRANTED,
        REJECTED
    }

    public FulfilmentAnswer {
        Objects.requireNonNull(awardRecordId, "awardRecordId");
        Objects.requireNonNull(result, "result");
        Objects.requireNonNull(reference, "reference");
        if (reference.isBlank() || reference.length() > REFERENCE_LENGTH_MAX) {
            throw new IllegalArgumentException("a reference has 1 to " + REFERENCE_LENGTH_MAX + " characters");
        }
        if (!isStorable(reference) || (reason != null && !isStorable(reason))) {
            throw new IllegalArgumentException(
                    "a reference and a reason have no control characters and no unpaired surrogates");
        }
        if (reason != null && reason.length() > REASON_LENGTH_MAX) {
            throw new IllegalArgumentException("a reason has at most " + REASON_LENGTH_MAX + " characters");
        }
    }

    public AwardCommand command() {
        return switch (result) {
            case GRANTED -> new GrantAward(awardRecordId, reference);
            case REJECTED ->
                new RejectGrant(awardRecordId, reference, Objects.requireNonNullElse(reason, "no reason was given"));
        };
    }
}
