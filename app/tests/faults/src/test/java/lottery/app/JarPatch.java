package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.springframework.util.FileSystemUtils;

/**
 * A change of one source, compiled into a copy of the extracted jar: a bug that is planted, or what another version
 * does in another way.
 */
record JarPatch(String module, String source, String before, String after) {

    private static final Path PROJECT = Path.of("..");

    /** Returns how often the text is in the source. */
    int occurrences() throws IOException {
        return text().split(Pattern.quote(before), -1).length - 1;
    }

    private String text() throws IOException {
        return Files.readString(PROJECT.resolve(module).resolve("src/main/java").resolve(source));
    }

    /** Returns a copy of the extracted jar with this change, in a folder of this name. */
    Path apply(String name) throws IOException {
        assertThat(occurrences()).as("places in " + source).isOne();
        Path folder = LotteryProcess.FOLDER.resolve("patched").resolve(name);
        FileSystemUtils.deleteRecursively(folder);
        copy(ExtractedJar.JAR.getParent(), folder);
        Path classes = Files.createDirectories(folder.resolve("classes"));
        Path changed = folder.resolve("changed").resolve(Path.of(source).getFileName());
        Files.createDirectories(changed.getParent());
        Files.writeString(changed, text().replace(before, after));
        compile(changed, classes, folder);
        URI library = URI.create("jar:" + libraryOf(folder).toUri());
        try (FileSystem jar = FileSystems.newFileSystem(library, Map.of());
                Stream<Path> all = Files.walk(classes)) {
            for (Path each : all.filter(Files::isRegularFile).toList()) {
                Files.copy(each, jar.getPath(classes.relativize(each).toString()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        return jarIn(folder);
    }

    private static Path jarIn(Path folder) {
        return folder.resolve(ExtractedJar.JAR.getFileName());
    }

    /**
     * Returns the jar with the classes of the module. The classes of the application itself are beside the libraries.
     */
    private Path libraryOf(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder.resolve("lib"))) {
            return all.filter(each -> each.getFileName().toString().startsWith("lottery-" + module + "-"))
                    .findAny()
                    .orElse(jarIn(folder));
        }
    }

    /**
     * Returns the variables of a process that uses a patched jar. The cache of classes is of no use for changed ones.
     */
    static Map<String, String> environmentOf(Map<String, String> usual) {
        Map<String, String> environment = new LinkedHashMap<>(usual);
        environment.computeIfPresent(
                ExtractedJar.VARIABLE, (_, options) -> options.replaceAll(" -XX:AOTCache=\\S+", ""));
        return environment;
    }

    private static void compile(Path source, Path classes, Path folder) throws IOException {
        List<String> options =
                new ArrayList<>(List.of("-proc:none", "-parameters", "-nowarn", "-d", classes.toString()));
        try (Stream<Path> libraries = Files.list(folder.resolve("lib"))) {
            options.add("-classpath");
            options.add(Stream.concat(libraries, Stream.of(jarIn(folder)))
                    .map(Path::toString)
                    .collect(Collectors.joining(":")));
        }
        options.add(source.toString());
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, options.toArray(String[]::new)))
                .as("the compiler accepts " + source)
                .isZero();
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path each :
                    files.filter(each -> !each.toString().endsWith(".aot")).toList()) {
                Path target = to.resolve(from.relativize(each).toString());
                if (Files.isDirectory(each)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(each, target, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
    }
}
