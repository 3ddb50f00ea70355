package lottery.view.reconciliation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads and writes a line of CSV, as RFC 4180 says. */
final class CsvLine {

    /** The match of a quoted cell takes more of the stack with each character, so a line must be short. */
    private static final int LENGTH_MAX = 1_000;

    private static final Pattern CELL = Pattern.compile("\\G(?:\"((?:[^\"]|\"\")*+)\"|([^\",]*+))(,|\\z)");

    /** A spreadsheet takes a cell that begins so for a formula, also if the cell is quoted. */
    private static final Pattern FORMULA = Pattern.compile("[=+@\\t\\r\\n-]");

    private static final Pattern SPECIAL = Pattern.compile("[\",\\r\\n]");

    private CsvLine() {}

    /** Returns the cells as a line. A cell that would be a formula gets an apostrophe in front of it. */
    static String encode(Object... cells) {
        return Stream.of(cells)
                .map(cell -> quoted(harmless(cell.toString())))
                .collect(Collectors.joining(",", "", "\r\n"));
    }

    private static String harmless(String cell) {
        return FORMULA.matcher(cell).lookingAt() ? "'" + cell : cell;
    }

    private static String quoted(String cell) {
        return SPECIAL.matcher(cell).find() ? '"' + cell.replace("\"", "\"\"") + '"' : cell;
    }

    /** Returns the cells of a line without its end; empty if it is no line of CSV, or too long. */
    static Optional<List<String>> decode(String line) {
        if (line.length() > LENGTH_MAX) {
            return Optional.empty();
        }
        List<String> cells = new ArrayList<>();
        Matcher cell = CELL.matcher(line);
        while (cell.find()) {
            String quoted = cell.group(1);
            cells.add(quoted == null ? cell.group(2) : quoted.replace("\"\"", "\""));
            if (cell.group(3).isEmpty()) {
                return Optional.of(cells);
            }
        }
        return Optional.empty();
    }
}
