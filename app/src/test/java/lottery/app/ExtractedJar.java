package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;

/**
 * The packaged jar, extracted as in its image, with a cache of its classes. Processes of it start with a third of the
 * processor time. Trials that start many processes use it; {@link ColdStartIT} and a test of {@link ArtifactIT} start
 * the jar itself. Both modules of trials share one extracted jar, which the first of them makes.
 */
final class ExtractedJar {

    private static final Path FOLDER = Path.of("target/extracted").toAbsolutePath();
    private static final Path CACHE = FOLDER.resolve("lottery.aot");

    /** Says of what the cache was made; it is written last. */
    private static final Path ORIGIN = FOLDER.resolve("origin");

    /** A process writes its cache when it ends, which takes a minute on a slow machine. */
    private static final Duration WRITTEN_MAX = Duration.ofMinutes(4);

    /** How long one module of trials waits for the other one, which starts a process and lets it write the cache. */
    private static final Duration MADE_MAX = WRITTEN_MAX.plusMinutes(4);

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
                FileLock _ = await("the extracted jar").atMost(MADE_MAX).until(file::tryLock, Objects::nonNull)) {
            String origin = origin();
            if (!Files.exists(ORIGIN) || !Files.readString(ORIGIN).equals(origin)) {
                Files.deleteIfExists(ORIGIN);
                make();
                Files.writeString(ORIGIN, origin);
            }
        }
    }

    /** Returns what the cache depends on. The time of the jar does not count: each build gives it the same one. */
    private static String origin() throws IOException {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(LotteryProcess.JAR));
            return "%s %s %s".formatted(HexFormat.of().formatHex(hash), Runtime.version(), OPTIONS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
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
        environment.put(VARIABLE, OPTIONS + " -XX:AOTCacheOutput=" + CACHE);
        LotteryProcess.open(environment, JAR).stop(WRITTEN_MAX);
        assertThat(CACHE).isNotEmptyFile();
    }
}
