package lottery.api;

import java.util.List;

/**
 * A refusal and its subject.
 *
 * @param subject the thing that was refused or not found, in one word such as {@code activity:100}
 * @param findings all flaws of the submitted data, if it has flaws
 */
public record Refused(Refusal why, String subject, List<SubmissionFlaw> findings) {

    public Refused {
        findings = List.copyOf(findings);
    }

    public Refused(Refusal why, String subject) {
        this(why, subject, List.of());
    }
}
