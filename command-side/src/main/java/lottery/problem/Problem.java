package lottery.problem;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;

/** A refusal as RFC 9457 defines it: a stable code, whether a retry helps, and all findings with their places. */
record Problem(
        String type,
        String title,
        int status,
        String detail,
        String code,
        boolean retryable,
        String traceId,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ProblemFinding> findings) {

    record ProblemFinding(String pointer, String message) {}

    Problem {
        findings = List.copyOf(findings);
    }
}
