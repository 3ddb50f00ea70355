package lottery.problem;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;

/** A refusal as RFC 9457 wants it, with a stable code, whether repeating helps, and every flaw with its place. */
record Problem(
        String type,
        String title,
        int status,
        String detail,
        String code,
        boolean retryable,
        String traceId,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Flaw> findings) {

    record Flaw(String pointer, String message) {}

    Problem {
        findings = List.copyOf(findings);
    }
}
