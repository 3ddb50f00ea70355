package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;

/**
 * The packaged jar, extracted as in its image, with a cache of its classes. Processes of it start with a third of the
 * processor time. Trials that start many processes use it; {@link ArtifactIT} and {@link ColdStartIT} start the jar
 * itself. All modules of trials share one extracted jar, which the first of them makes.
 */
final class ExtractedJar {

    private static final Path FOLDER = Path.of("target/extracted").toAbsolutePath();
    private static final Path CACHE = FOLDER.resolve("lottery.aot");

    /** A process writes its cache when it ends, which takes a minute on a slow machine. */
    private static final Duration WRITTEN_MAX = Duration.ofMinutes(4);

    static final Path JAR = FOLDER.resolve("lottery.jar");

    /** The options of all these processes: a cache is of use only with the options that it was made with. */
    private static final String OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

    static final String VARIABLE = "JAVA_TOOL_OPTIONS";

    private static boolean isMade;

    private ExtractedJar() {}

    /** Lets a process use the cache, which is made for the first one. */
    static synchronized void use(Map<String, String> environment) throws IOException {
        if (!isMade) {
            makeOnce();
            isMade = true;
        }
        environment.put(VARIABLE, OPTIONS + " -XX:AOTCache=" + CACHE);
    }

    /** Returns whether these are the variables of a process that uses the cache. */
    static boolean isFor(Map<String, String> environment) {
        return environment.getOrDefault(VARIABLE, "").contains(CACHE.toString());
    }

    /** Makes the cache, unless another process has made it of this jar. Processes do so one after the other. */
    private static void makeOnce() throws IOException {
        Files.createDirectories(FOLDER);
        try (FileChannel file =
                        FileChannel.open(FOLDER.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock _ = file.lock()) {
            if (!Files.exists(CACHE)
                    || Files.getLastModifiedTime(CACHE).compareTo(Files.getLastModifiedTime(LotteryProcess.JAR)) < 0) {
                make();
            }
        }
    }

    private static void make() throws IOException {
        assertThat(LotteryProcess.java(
                                "-Djarmode=tools",
                                "-jar",
                                LotteryProcess.JAR.toString(),
                                "extract",
                                "--force",
                                "--destination",
                                FOLDER.toString())
                        .exitStatus())
                .isZero();
        Files.deleteIfExists(CACHE);
        Map<String, String> environment = Servers.environment();
        Path half = FOLDER.resolve("half.aot");
        environment.put(VARIABLE, OPTIONS + " -XX:AOTCacheOutput=" + half);
        LotteryProcess.open(environment, JAR).stop(WRITTEN_MAX);
        assertThat(half).isNotEmptyFile();
        Files.move(half, CACHE, StandardCopyOption.ATOMIC_MOVE);
    }
}
