package lottery.bench;

import java.util.List;
import java.util.stream.Collectors;
import lottery.bench.invariant.InvariantVerdict;

/** The result of a check, with one verdict for each invariant. */
public record CheckReport(List<InvariantVerdict> verdicts) {

    private static final String COLUMNS = "%-6s %-58s %12s %12s  %s";

    public CheckReport {
        verdicts = List.copyOf(verdicts);
    }

    public boolean isSound() {
        return verdicts.stream().allMatch(InvariantVerdict::holds);
    }

    /**
     * Returns the report as text. It has a line for each invariant, and below each violated invariant its first
     * violation.
     */
    public String table() {
        return verdicts.stream()
                .map(CheckReport::lines)
                .collect(Collectors.joining(
                        "\n",
                        COLUMNS.formatted("", "invariant", "checked", "violated", "")
                                        .stripTrailing() + "\n",
                        "\n" + (isSound() ? "All invariants hold." : "NOT ALL INVARIANTS HOLD.")));
    }

    private static String lines(InvariantVerdict verdict) {
        String line = COLUMNS.formatted(
                        verdict.name(), verdict.promise(), verdict.checked(), verdict.violated(), verdict.remark())
                .stripTrailing();
        return verdict.holds() ? line : line + "\n       first: " + verdict.first();
    }
}
