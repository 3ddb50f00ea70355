package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * The packaged jar, extracted as in its image, with a cache of its classes. Processes of it start with a third of the
 * processor time. Trials that start many processes use it; {@link ColdStartIT} and a test of {@link ArtifactIT} start
 * the jar itself.
 */
final class ExtractedJar {

    private static final Path FOLDER = LotteryProcess.FOLDER.resolve("extracted");
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
            make();
            isMade = true;
        }
        environment.put(VARIABLE, OPTIONS + " -XX:AOTCache=" + CACHE);
    }

    /** Returns whether these are the variables of a process that uses the cache. */
    static boolean isFor(Map<String, String> environment) {
        return environment.getOrDefault(VARIABLE, "").contains(CACHE.toString());
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
        environment.put(VARIABLE, OPTIONS + " -XX:AOTCacheOutput=" + CACHE);
        LotteryProcess.open(environment, JAR).stop(WRITTEN_MAX);
        assertThat(CACHE).isNotEmptyFile();
    }
}
