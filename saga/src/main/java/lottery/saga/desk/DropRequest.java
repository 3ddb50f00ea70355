package lottery.saga.desk;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import lottery.saga.decision.ProposedDecision;
import org.jspecify.annotations.Nullable;

/**
 * A request to give up an event or message.
 *
 * @param reason a text for later readers
 * @param proposal the proposal to agree to; if it is left out and two persons are needed, this request is the proposal
 */
record DropRequest(
        @NotBlank @Pattern(regexp = DecisionReason.TEXT) @Size(max = DecisionReason.LENGTH_MAX)
        String reason,

        @Nullable @Pattern(regexp = DecisionReason.TEXT) @Size(max = ProposedDecision.ID_LENGTH_MAX)
        String proposal) {}
