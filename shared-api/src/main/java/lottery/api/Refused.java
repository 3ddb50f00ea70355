package lottery.api;

import java.util.List;

/**
 * A refusal with what it is about.
 *
 * @param subject what was refused or not found, in a word: {@code activity:100}
 * @param findings every flaw of what was handed in, where it has flaws
 */
public record Refused(Refusal why, String subject, List<Finding> findings) {

    public Refused {
        findings = List.copyOf(findings);
    }

    public Refused(Refusal why, String subject) {
        this(why, subject, List.of());
    }
}
