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
    private static final long ALL_MAX = 390_000;

    /** A row of the guarantees: promise, how, tests, sizes. */
    private static final Pattern PROMISE =
            Pattern.compile("(?m)^\\| .* \\| (.*`\\w+`.*) \\| ((?:`(?:verify|trials)`(?:; )?)+) \\|$");

    private static final Pattern LINK = Pattern.compile("(?m)^\\[(\\w+)]: (\\.\\./\\S+)$");

    /** Names of classes or files in a row of the map: those below a linked folder, or those anywhere. */
    private static final Pattern PLACES = Pattern.compile("(?:\\[(\\w+)] )?(`[\\w.]+`(?:, `[\\w.]+`)*)");

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

    @Test
    @DisplayName("have a map that names each part of the code, and only classes that are where it says")
    void map() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/architecture.md"));
        Map<String, Path> folders = LINK.matcher(page)
                .results()
                .collect(Collectors.toMap(
                        link -> link.group(1), link -> ROOT.resolve("docs").resolve(link.group(2))));
        assertThat(folders.values())
                .containsAll(features())
                .allSatisfy(folder -> assertThat(folder).isDirectory());

        List<String> rows = page.substring(page.indexOf("## Where to find what"))
                .lines()
                .filter(line -> line.startsWith("| ") && line.contains("`"))
                .toList();
        assertThat(rows).hasSizeGreaterThan(30);
        for (String row : rows) {
            for (MatchResult places :
                    PLACES.matcher(row.split(" \\| ", -1)[1]).results().toList()) {
                Path folder = places.group(1) == null
                        ? ROOT
                        : Objects.requireNonNull(folders.get(places.group(1)), places.group(1));
                for (String name : places.group(2).replace("`", "").split(", ", -1)) {
                    assertThat(files(folder, name.contains(".") ? "/" + name : "/" + name + ".java"))
                            .as("%s in %s", name, row)
                            .isNotEmpty();
                }
            }
        }
    }

    /** Returns the packages of command-side, each of which is a feature. */
    private static List<Path> features() throws IOException {
        try (Stream<Path> all = Files.list(ROOT.resolve("command-side/src/main/java/lottery"))) {
            return all.filter(Files::isDirectory)
                    .map(folder -> ROOT.resolve("docs").resolve("..").resolve(ROOT.relativize(folder)))
                    .toList();
        }
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
        return files(ROOT, endings);
    }

    private static Stream<Path> files(Path folder, String... endings) throws IOException {
        Path root = folder.toRealPath();
        try (Stream<Path> all = Files.walk(root)) {
            return all
                    .filter(file -> Stream.of(endings).anyMatch(file.toString()::endsWith))
                    .filter(file -> !("/" + root.relativize(file)).matches(".*/(target/|\\.).*"))
                    .toList()
                    .stream();
        }
    }
}
