package lottery.journey.fulfilment;

import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import lottery.api.award.AwardCommand;
import lottery.api.award.AwardCommand.GrantAward;
import lottery.api.award.AwardCommand.RejectGrant;
import lottery.api.award.AwardRecordId;
import lottery.journey.grant.Invoice;
import lottery.journey.letter.Letter;
import lottery.journey.letter.Topics;
import org.jspecify.annotations.Nullable;

/**
 * The answer to an invoice.
 *
 * @param reference under which the answering system finds it again
 * @param reason why not, for people
 */
record Fulfilment(
        AwardRecordId awardRecordId,
        Result result,
        String reference,
        @Nullable String reason) {

    static final String LETTER_TYPE = "lottery.fulfilment.v1";

    private static final String SOURCE = "/lottery/fulfilment/";

    private static final int REFERENCE_LENGTH_MAX = 200;
    private static final int REASON_LENGTH_MAX = 1_000;

    enum Result {
        GRANTED,
        REJECTED
    }

    Fulfilment {
        Objects.requireNonNull(awardRecordId, "awardRecordId");
        Objects.requireNonNull(result, "result");
        Objects.requireNonNull(reference, "reference");
        if (reference.isBlank() || reference.length() > REFERENCE_LENGTH_MAX) {
            throw new IllegalArgumentException("a reference has 1 to " + REFERENCE_LENGTH_MAX + " characters");
        }
        if (hasControls(reference) || (reason != null && hasControls(reason))) {
            throw new IllegalArgumentException("a reference and a reason have no control characters");
        }
        if (reason != null && reason.length() > REASON_LENGTH_MAX) {
            throw new IllegalArgumentException("a reason has at most " + REASON_LENGTH_MAX + " characters");
        }
    }

    /** PostgreSQL cannot store all of them, and an answer is stored. */
    private static boolean hasControls(String text) {
        return text.codePoints().anyMatch(Character::isISOControl);
    }

    static Fulfilment granted(AwardRecordId awardRecordId, String reference) {
        return new Fulfilment(awardRecordId, Result.GRANTED, reference, null);
    }

    static Fulfilment rejected(AwardRecordId awardRecordId, String reference, String reason) {
        return new Fulfilment(awardRecordId, Result.REJECTED, reference, reason);
    }

    /** As the product's own fulfilments say it: a copy of the same answer has the same id. */
    Letter answerTo(Invoice invoice, Instant now) {
        String record = awardRecordId.text();
        return new Letter(
                        Topics.FULFILMENT,
                        record,
                        record + "/fulfilment/" + invoice.attempt(),
                        LETTER_TYPE,
                        SOURCE + invoice.type().name().toLowerCase(Locale.ROOT),
                        record,
                        now,
                        this)
                .traced(invoice.trace());
    }

    AwardCommand command() {
        return switch (result) {
            case GRANTED -> new GrantAward(awardRecordId, reference);
            case REJECTED ->
                new RejectGrant(awardRecordId, reference, Objects.requireNonNullElse(reason, "no reason was given"));
        };
    }
}
