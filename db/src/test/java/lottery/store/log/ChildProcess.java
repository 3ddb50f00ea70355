package lottery.store.log;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Another process, which reports line by line what it has seen, and may be killed at any moment. */
final class ChildProcess implements AutoCloseable {

    /** A line without it was cut off by a kill. */
    private static final String END = " .";

    private static final int END_MAX_SECONDS = 10;

    private final Process process;
    private final Thread reading;

    private ChildProcess(Process process, Consumer<String[]> report) {
        this.process = process;
        this.reading = Thread.ofVirtual().start(() -> read(process, report));
    }

    /** The words of each line go to the report, on a thread of this process's own. */
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
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        return new ChildProcess(process, report);
    }

    private static void read(Process process, Consumer<String[]> report) {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (@Nullable String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.endsWith(END)) {
                    report.accept(
                            line.substring(0, line.length() - END.length()).split(" "));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** In the child: what its reports are written with. A line is out when this returns, whatever happens next. */
    static Consumer<String> reporter() {
        PrintStream out = System.out;
        return line -> {
            synchronized (out) {
                out.println(line + END);
                out.flush();
            }
        };
    }

    /** In the child: ends when its parent does, or when it is killed. */
    static void awaitParent() throws IOException {
        while (System.in.read() >= 0) {
            // Nobody says anything.
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** As {@code kill -9} does it; returns when it is dead and all that it said has been reported. */
    void kill() throws InterruptedException {
        // By its handle: the process itself would throw away what was said and is not read yet.
        process.toHandle().destroyForcibly();
        if (!process.waitFor(END_MAX_SECONDS, TimeUnit.SECONDS) || !reading.join(Duration.ofSeconds(END_MAX_SECONDS))) {
            throw new AssertionError("the child does not end");
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
