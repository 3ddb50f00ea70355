package lottery.saga.desk;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

/** The reason why something is given up, for later readers. */
record DecisionReason(
        @NotBlank @Pattern(regexp = TEXT) @Size(max = LENGTH_MAX)
        String reason) {

    /** Excludes control characters, because people read the text, also on terminals. */
    static final String TEXT = "[^\\x00-\\x1f\\x7f]*";

    static final int LENGTH_MAX = 500;
}
