package lottery.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

@DisplayName("The files of the pages")
class PageFileLoaderTest {

    private static final Pattern KEY = Pattern.compile("^  (\\w+):", Pattern.MULTILINE);
    private static final Pattern USED = Pattern.compile("\\bt\\('(\\w+)'");
    private static final Pattern SAGA = Pattern.compile("\"(\\w+)\", \\w+Saga\\.class");
    private static final Path SAGAS = Path.of("../saga/src/main/java/lottery/saga/SagaSideConfiguration.java");

    private static String text(String name) throws IOException {
        return new ClassPathResource("lottery/console/page/" + name).getContentAsString(StandardCharsets.UTF_8);
    }

    private static Set<String> all(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    @DisplayName("Both languages have the same texts, and all that are used")
    void texts() throws Exception {
        Set<String> english = all(KEY, text("texts-en.js"));
        assertThat(english).hasSizeGreaterThan(80).isEqualTo(all(KEY, text("texts-zh.js")));
        assertUsed(english, "*.js");
    }

    @Test
    @DisplayName("The page for operators has the same texts in both languages, too, and all that are used")
    void textsForOperators() throws Exception {
        Set<String> english = all(KEY, text("operators/texts-en.js"));
        assertThat(english).hasSizeGreaterThan(200).isEqualTo(all(KEY, text("operators/texts-zh.js")));
        assertUsed(english, "operators/*.js");
    }

    @Test
    @DisplayName("The desk has a name in both languages for each kind of saga")
    void kindsOfSagas() throws Exception {
        Set<String> kinds = all(SAGA, Files.readString(SAGAS));
        assertThat(kinds).contains("grant", "pool");
        List<String> keys = kinds.stream().map("kind_"::concat).toList();
        assertThat(all(KEY, text("operators/texts-en.js"))).containsAll(keys);
        assertThat(all(KEY, text("operators/texts-zh.js"))).containsAll(keys);
    }

    private static void assertUsed(Set<String> texts, String modules) throws IOException {
        for (Resource module : new PathMatchingResourcePatternResolver().getResources(PageFileLoader.OWN + modules)) {
            assertThat(texts)
                    .as(String.valueOf(module.getFilename()))
                    .containsAll(all(USED, module.getContentAsString(StandardCharsets.UTF_8)));
        }
    }

    @Test
    @DisplayName("The page names each module, so that none is found only when another one has come")
    void preloads() throws Exception {
        Resource[] modules = new PathMatchingResourcePatternResolver().getResources(PageFileLoader.OWN + "*.js");
        List<String> names =
                Stream.of(modules).map(module -> "/" + module.getFilename()).toList();
        assertThat(names).hasSizeGreaterThan(5);
        String version = PageFileLoader.version();
        assertThat(version).matches("[0-9a-f]{16}");
        assertThat(PageFileLoader.home(version)).contains(names).doesNotContain("{version}");
        Resource[] others =
                new PathMatchingResourcePatternResolver().getResources(PageFileLoader.OWN + "operators/*.js");
        assertThat(PageFileLoader.operators(version))
                .contains(Stream.of(others)
                        .map(module -> "/operators/" + module.getFilename())
                        .toList())
                .doesNotContain("{version}");
    }
}
