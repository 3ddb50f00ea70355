package lottery.journey.desk;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

/** Why something is given up, for whoever asks later. */
record DecisionReason(
        @NotBlank @Pattern(regexp = TEXT) @Size(max = LENGTH_MAX)
        String reason) {

    /** Without control characters: it is read by people, on terminals, too. */
    static final String TEXT = "[^\\x00-\\x1f\\x7f]*";

    static final int LENGTH_MAX = 500;
}
