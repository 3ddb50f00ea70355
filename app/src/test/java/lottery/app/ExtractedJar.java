package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.springframework.util.FileSystemUtils;

/**
 * The packaged jar, extracted as in its image, with a cache of its classes. Processes of it start with a third of the
 * processor time. Tests that start many processes use it; {@link ColdStartIT} and a test of {@link ArtifactIT} start
 * the jar itself. All modules of tests share one cache, and keep it until there is another jar.
 */
final class ExtractedJar {

    private static final Path FOLDER = Path.of("target/extracted").toAbsolutePath();
    private static final Path CACHE = FOLDER.resolve("lottery.aot");
    private static final Path SOURCE = FOLDER.resolve("source");

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
            makeUnlessMade();
            isMade = true;
        }
        environment.put(VARIABLE, OPTIONS + " -XX:AOTCache=" + CACHE);
    }

    /** Returns whether these are the variables of a process that uses the cache. */
    static boolean isFor(Map<String, String> environment) {
        return environment.getOrDefault(VARIABLE, "").contains(CACHE.toString());
    }

    /** Another module may make the cache at this moment. Then this one waits, and uses the same. */
    private static void makeUnlessMade() throws IOException {
        Files.createDirectories(FOLDER);
        try (FileChannel file = FileChannel.open(
                        Path.of("target/extracted.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock _ = file.lock()) {
            String source = OPTIONS + Runtime.version() + digest(LotteryProcess.JAR);
            if (!Files.exists(SOURCE) || !Files.readString(SOURCE).equals(source)) {
                make();
                Files.writeString(SOURCE, source);
            }
        }
    }

    private static void make() throws IOException {
        // Libraries of another version must not stay beside those of this one.
        FileSystemUtils.deleteRecursively(FOLDER);
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
        Map<String, String> environment = Servers.environment();
        environment.put(VARIABLE, OPTIONS + " -XX:AOTCacheOutput=" + CACHE);
        LotteryProcess.open(environment, JAR).stop(WRITTEN_MAX);
        assertThat(CACHE).isNotEmptyFile();
    }

    private static String digest(Path file) throws IOException {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException(missing);
        }
    }
}
