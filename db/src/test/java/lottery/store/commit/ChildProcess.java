package lottery.store.commit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A process of a test, which reports line by line what it has seen, and may be killed at any moment. Its other output
 * is kept: if the process ends by itself, that is the text of the test's failure.
 */
final class ChildProcess implements AutoCloseable {

    /** The end of each line. A line without it was cut off by a kill. */
    private static final String END = " .";

    private static final int END_MAX_SECONDS = 30;

    private static final int LAST_LINES = 40;

    private final String name;
    private final Process process;
    private final Path errors;
    private final Thread reading;
    private volatile @Nullable Throwable unreadable;
    private volatile boolean killed;

    private ChildProcess(String name, Process process, Path errors, Consumer<String[]> report) {
        this.name = name;
        this.process = process;
        this.errors = errors;
        this.reading = Thread.ofVirtual().start(() -> read(report));
    }

    /** Starts a process. The words of each line go to the report, on a thread of the process's own. */
    static ChildProcess start(Class<?> program, Consumer<String[]> report, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
        command.addAll(List.of(arguments));
        Path errors = Files.createTempFile(program.getSimpleName(), ".log");
        Process process =
                new ProcessBuilder(command).redirectError(errors.toFile()).start();
        return new ChildProcess(program.getSimpleName(), process, errors, report);
    }

    private void read(Consumer<String[]> report) {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (@Nullable String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.endsWith(END)) {
                    report.accept(
                            line.substring(0, line.length() - END.length()).split(" "));
                }
            }
        } catch (IOException | RuntimeException e) {
            unreadable = e;
        }
    }

    /**
     * Returns, in the child, the function that writes its reports. A line is out when this returns, whatever happens
     * next.
     */
    static Consumer<String> reporter() {
        PrintStream out = System.out;
        return line -> {
            synchronized (out) {
                out.println(line + END);
                out.flush();
            }
        };
    }

    /** Waits, in the child, until the parent has ended. */
    static void awaitParent() throws IOException {
        while (System.in.read() >= 0) {
            // The parent writes nothing.
        }
    }

    /** Fails with the last output of the process, unless it runs or the test has killed it. */
    void assertRunning() {
        if (killed) {
            return;
        }
        Throwable cause = unreadable;
        if (cause != null) {
            throw new AssertionError("A report of %s cannot be read".formatted(this), cause);
        }
        if (!process.isAlive()) {
            throw new AssertionError("%s ended by itself with status %d. Its last output:%n%s"
                    .formatted(this, process.exitValue(), lastOutput()));
        }
    }

    private String lastOutput() {
        try {
            List<String> lines = Files.readAllLines(errors);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
        } catch (IOException e) {
            return "cannot be read: " + e;
        }
    }

    @Override
    public String toString() {
        return "%s %d".formatted(name, process.pid());
    }

    /** Kills as {@code kill -9} does. Returns when the process is dead and all that it wrote has been reported. */
    void kill() throws IOException, InterruptedException {
        assertRunning();
        killed = true;
        // By its handle: the process itself would throw away output that is not read yet.
        process.toHandle().destroyForcibly();
        if (!process.waitFor(END_MAX_SECONDS, TimeUnit.SECONDS) || !reading.join(Duration.ofSeconds(END_MAX_SECONDS))) {
            throw new AssertionError("%s does not end".formatted(this));
        }
        Files.deleteIfExists(errors);
    }

    @Override
    public void close() throws IOException {
        killed = true;
        process.destroyForcibly();
        Files.deleteIfExists(errors);
    }
}
