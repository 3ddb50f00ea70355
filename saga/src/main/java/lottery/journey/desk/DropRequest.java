package lottery.journey.desk;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import lottery.journey.decision.ProposedDecision;
import org.jspecify.annotations.Nullable;

/**
 * A request to give up an event or message.
 *
 * @param reason for later readers
 * @param proposal the one to agree to; left out: it is proposed, if two persons are needed
 */
record DropRequest(
        @NotBlank @Pattern(regexp = DecisionReason.TEXT) @Size(max = DecisionReason.LENGTH_MAX)
        String reason,

        @Nullable @Pattern(regexp = DecisionReason.TEXT) @Size(max = ProposedDecision.ID_LENGTH_MAX)
        String proposal) {}
