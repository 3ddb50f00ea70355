package lottery.bench.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import lottery.bench.store.VisibilityWatcher.PingReceiver;
import lottery.bench.store.variant.BenchmarkConnectionFactory;

/** A handle of a process that runs a {@link VisibilityWatcherProgram}. It reads the output of the process. */
final class VisibilityWatcherProcessHandle implements AutoCloseable {

    private static final long START_MAX_SECONDS = 60;
    private static final long END_MAX_SECONDS = 15;

    private final Process process;
    private final CountDownLatch ready = new CountDownLatch(1);

    private VisibilityWatcherProcessHandle(Process process) {
        this.process = process;
    }

    static VisibilityWatcherProcessHandle start(BenchmarkConnectionFactory target, PingReceiver seen)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(List.of(
                        Path.of(property("java.home"), "bin", "java").toString(),
                        "-cp",
                        property("java.class.path"),
                        VisibilityWatcherProgram.class.getName(),
                        target.url(),
                        target.user()))
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put(VisibilityWatcherProgram.PASSWORD, target.password());
        VisibilityWatcherProcessHandle other = new VisibilityWatcherProcessHandle(builder.start());
        Thread.ofPlatform().daemon().start(() -> other.listen(seen));
        if (!other.ready.await(START_MAX_SECONDS, TimeUnit.SECONDS)) {
            other.close();
            throw new IllegalStateException("the other process is not ready");
        }
        return other;
    }

    private static String property(String name) {
        return Objects.requireNonNull(System.getProperty(name), name);
    }

    private void listen(PingReceiver seen) {
        try (BufferedReader lines = process.inputReader(UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                heard(line, seen);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void heard(String line, PingReceiver seen) {
        int space = line.indexOf(' ');
        if (line.equals(VisibilityWatcherProgram.READY)) {
            ready.countDown();
        } else if (space > 0 && line.chars().allMatch(c -> c == ' ' || Character.isDigit(c))) {
            seen.seen(Integer.parseInt(line.substring(0, space)), Long.parseLong(line.substring(space + 1)));
        }
    }

    @Override
    public void close() {
        try {
            process.outputWriter(UTF_8).close();
            if (!process.waitFor(END_MAX_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException gone) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
