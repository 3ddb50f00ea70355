package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The pages for operators")
class OperationsPagesTest {

    /** Bytes that are read in a hurry. */
    private static final long PAGE_MAX = 1_500;

    private static final long ALL_MAX = 60_000;

    private static final Pattern ALERT = Pattern.compile("- alert: (\\w+)");
    private static final Pattern LINK = Pattern.compile("]\\(([^)#\\s]*)#?([^)\\s]*)\\)");

    static Stream<Path> runbook() throws IOException {
        return OperationsPages.runbook().stream();
    }

    static Stream<Path> pages() throws IOException {
        return OperationsPages.all().stream();
    }

    @ParameterizedTest
    @MethodSource("runbook")
    @DisplayName("A page of the runbook is short, and says what is to be seen, to be done and to be checked")
    void parts(Path page) throws IOException {
        assertThat(Files.size(page)).isLessThanOrEqualTo(PAGE_MAX);
        assertThat(OperationsPages.headings(page)).hasSize(4).endsWith("## See", "## Do", "## Check");
        String text = Files.readString(page);
        List<String> parts = List.of(text.split("(?m)^##? .*$", -1));
        assertThat(parts).hasSize(5);
        assertThat(parts.subList(2, 5)).noneMatch(String::isBlank);
        assertThat(parts.get(3)).containsPattern("(?m)^1\\. ");
    }

    @Test
    @DisplayName("Each alert has a page of the runbook, and the index leads to each page of it")
    void complete() throws IOException {
        List<String> alerts = ALERT.matcher(Files.readString(Path.of("../docs/monitoring/alerts.yaml")))
                .results()
                .map(alert -> alert.group(1))
                .toList();
        String index = Files.readString(OperationsPages.FOLDER.resolve("README.md"));
        assertThat(alerts).hasSizeGreaterThan(20).allSatisfy(alert -> {
            Path page = OperationsPages.FOLDER.resolve(OperationsPages.pageOf(alert));
            assertThat(OperationsPages.headings(page)).startsWith("# " + alert);
            assertThat(index)
                    .contains("[%s](%s)".formatted(alert.replaceFirst("Lottery", ""), OperationsPages.pageOf(alert)));
        });
        for (Path page : OperationsPages.runbook()) {
            assertThat(index).contains("](runbook/%s)".formatted(page.getFileName()));
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    @DisplayName("A link leads to a page of the folder, and to a heading in it")
    void links(Path page) throws IOException {
        String text = OperationsPages.withoutCode(page);
        for (MatchResult link : LINK.matcher(text).results().toList()) {
            Path linked = linked(page, link.group(1));
            if (linked.startsWith(OperationsPages.FOLDER) && linked.toString().endsWith(".md")) {
                boolean there = OperationsPages.has(linked, link.group(2));
                assertThat(there).as(link.group()).isTrue();
            }
        }
    }

    private static Path linked(Path page, String target) {
        return target.isEmpty() ? page : page.resolveSibling(target).normalize();
    }

    @Test
    @DisplayName("All pages together are short enough to be known")
    void size() throws IOException {
        long bytes = 0;
        for (Path page : OperationsPages.all()) {
            bytes += Files.size(page);
        }
        assertThat(bytes).isLessThanOrEqualTo(ALL_MAX);
    }
}
