package lottery.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads from the sources which packages import which. */
final class PackageImports {

    private static final Path PROJECT = Path.of("..");
    private static final String MESSAGES = "lottery.api";

    private static final Pattern PACKAGE = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE);
    private static final Pattern IMPORT =
            Pattern.compile("^import (?:static )?(lottery[a-z.]*)\\.[A-Z]", Pattern.MULTILINE);

    private PackageImports() {}

    /** Returns the packages that each package imports from, without those of the messages. */
    static Map<String, Set<String>> ofMainCode() {
        Map<String, Set<String>> imports = new TreeMap<>();
        sources().forEach(file -> read(file, imports));
        return imports;
    }

    /** Returns the source files of the main code of all modules. */
    static Stream<Path> sources() {
        return Stream.of(PROJECT, PROJECT.resolve("app"))
                .flatMap(folder -> files(folder, 1))
                .map(module -> module.resolve("src/main/java"))
                .filter(Files::isDirectory)
                .flatMap(sources -> files(sources, Integer.MAX_VALUE))
                .filter(file -> file.toString().endsWith(".java"));
    }

    private static Stream<Path> files(Path folder, int depth) {
        try (Stream<Path> all = Files.walk(folder, depth)) {
            return all.toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void read(Path file, Map<String, Set<String>> imports) {
        try {
            String source = Files.readString(file);
            Matcher own = PACKAGE.matcher(source);
            if (!own.find() || own.group(1).startsWith(MESSAGES)) {
                return;
            }
            Set<String> others = imports.computeIfAbsent(own.group(1), _ -> new TreeSet<>());
            IMPORT.matcher(source)
                    .results()
                    .map(found -> found.group(1))
                    .filter(other -> !other.equals(own.group(1)) && !other.startsWith(MESSAGES))
                    .forEach(others::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the packages of a cycle, in order; none if there is no cycle. */
    static List<String> cycleIn(Map<String, Set<String>> imports) {
        Set<String> done = new HashSet<>();
        for (String start : imports.keySet()) {
            List<String> cycle = cycleFrom(start, imports, new ArrayDeque<>(), done);
            if (!cycle.isEmpty()) {
                return cycle;
            }
        }
        return List.of();
    }

    private static List<String> cycleFrom(
            String here, Map<String, Set<String>> imports, Deque<String> way, Set<String> done) {
        if (way.contains(here)) {
            way.addLast(here);
            return List.copyOf(way);
        }
        if (done.contains(here)) {
            return List.of();
        }
        way.addLast(here);
        for (String next : imports.getOrDefault(here, Set.of())) {
            List<String> cycle = cycleFrom(next, imports, way, done);
            if (!cycle.isEmpty()) {
                return cycle;
            }
        }
        way.removeLast();
        done.add(here);
        return List.of();
    }
}
