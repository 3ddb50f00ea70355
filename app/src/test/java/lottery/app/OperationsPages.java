package lottery.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads docs/operations, the pages for operators. */
final class OperationsPages {

    static final Path FOLDER = Path.of("../docs/operations");

    /** Alerts and the dashboard name pages by paths from the root of the repository. */
    static final String ADDRESS = "docs/operations/";

    static final Path RUNBOOK = FOLDER.resolve("runbook");

    private static final Pattern HEADING = Pattern.compile("(?m)^#+ .*$");

    private OperationsPages() {}

    /** Returns all pages, also those of the runbook. */
    static List<Path> all() throws IOException {
        return pages(FOLDER);
    }

    /** Returns the pages of the runbook: one for each alert, and others. */
    static List<Path> runbook() throws IOException {
        return pages(RUNBOOK);
    }

    private static List<Path> pages(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }

    /**
     * Returns the page of an alert, as a path within the folder: {@code runbook/draws-slow.md} for LotteryDrawsSlow.
     */
    static String pageOf(String alert) {
        String words = alert.replaceFirst("^Lottery", "").replaceAll("(?<!^)([A-Z])", "-$1");
        return "runbook/%s.md".formatted(words.toLowerCase(Locale.ROOT));
    }

    /** Returns the headings of a page, with their number signs. */
    static List<String> headings(Path page) throws IOException {
        return HEADING.matcher(withoutCode(page))
                .results()
                .map(MatchResult::group)
                .toList();
    }

    /** Returns the text of a page without its blocks of code. */
    static String withoutCode(Path page) throws IOException {
        return Files.readString(page).replaceAll("(?ms)^ *```.*?^ *```$", "");
    }

    /**
     * Returns whether the folder has the page, and the page the heading, that a path like {@code desk.md#awards} names.
     */
    static boolean has(String path) throws IOException {
        return has(FOLDER.resolve(path.replaceFirst("#.*", "")), path.replaceFirst("^[^#]*#?", ""));
    }

    /** Returns whether there is that page, and a heading with that anchor in it; an empty anchor is the page itself. */
    static boolean has(Path page, String anchor) throws IOException {
        return Files.isRegularFile(page) && (anchor.isEmpty() || anchors(page).contains(anchor));
    }

    private static Set<String> anchors(Path page) throws IOException {
        return headings(page).stream()
                .map(heading -> heading.replaceFirst("^#+ ", "")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\w\\- ]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }
}
