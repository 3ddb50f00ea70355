package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The documents")
class DocumentsTest {

    private static final Path ROOT = Path.of("..");
    private static final Path DECISIONS = ROOT.resolve("docs/decisions");

    private static final long README_MAX = 10_000;
    private static final long DECISION_MAX = 2_500;
    private static final long ALL_MAX = 350_000;

    /** A row of the guarantees: promise, how, tests, sizes. */
    private static final Pattern PROMISE =
            Pattern.compile("(?m)^\\| .* \\| (.*`\\w+`.*) \\| ((?:`(?:verify|trials)`(?:; )?)+) \\|$");

    private static final Pattern TRIAL = Pattern.compile("(?m)^@Tag\\(\"trial\"\\)");

    @Test
    @DisplayName("are short: the README, each decision, and all together")
    void areShort() throws IOException {
        assertThat(Files.size(ROOT.resolve("README.md"))).isLessThanOrEqualTo(README_MAX);
        try (Stream<Path> decisions = Files.list(DECISIONS)) {
            assertThat(decisions.filter(page -> page.getFileName().toString().matches("\\d{4}-.*\\.md")))
                    .hasSizeGreaterThan(60)
                    .allSatisfy(page -> assertThat(Files.size(page)).isLessThanOrEqualTo(DECISION_MAX));
        }
        assertThat(files(".md").mapToLong(DocumentsTest::size).sum()).isLessThanOrEqualTo(ALL_MAX);
    }

    @Test
    @DisplayName("say of each test of a promise in which build it runs")
    void sizes() throws IOException {
        Map<String, Path> tests = files("Test.java", "IT.java")
                .collect(Collectors.toMap(
                        file -> file.getFileName().toString().replace(".java", ""),
                        Function.identity(),
                        (one, _) -> one));
        List<MatchResult> rows = PROMISE.matcher(Files.readString(ROOT.resolve("docs/guarantees.md")))
                .results()
                .toList();
        assertThat(rows).hasSizeGreaterThan(20).allSatisfy(row -> {
            String[] sizes = row.group(2).replace("`", "").split("; ", -1);
            String[] groups = row.group(1).split("; ", -1);
            assertThat(groups).as(row.group()).hasSameSizeAs(sizes);
            for (int i = 0; i < sizes.length; i++) {
                for (String test : groups[i].replace("`", "").split(", ", -1)) {
                    assertThat(tests).containsKey(test);
                    assertThat(sizeOf(Objects.requireNonNull(tests.get(test))))
                            .as(test)
                            .isEqualTo(sizes[i]);
                }
            }
        });
    }

    private static String sizeOf(Path test) throws IOException {
        boolean isTrial = test.toString().matches(".*/app/tests/(operations|faults)/.*")
                || TRIAL.matcher(Files.readString(test)).find();
        return isTrial ? "trials" : "verify";
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the files of the project with one of these endings, without what the build has made. */
    private static Stream<Path> files(String... endings) throws IOException {
        Path root = ROOT.toRealPath();
        try (Stream<Path> all = Files.walk(root)) {
            return all
                    .filter(file -> Stream.of(endings).anyMatch(file.toString()::endsWith))
                    .filter(file -> !("/" + root.relativize(file)).matches(".*/(target/|\\.).*"))
                    .toList()
                    .stream();
        }
    }
}
