package lottery.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The process of a server. It is found by the file to which the server writes its process id. This also finds a server
 * that has outlived the process that started it.
 */
record ServerProcess(ProcessHandle process, Path folder) {

    private static final Duration KILL_MAX = Duration.ofSeconds(5);

    /** A signal that asks the process to end, and how long to wait for the end. */
    record StopRequest(String signal, Duration limit) {}

    /**
     * Returns the running server. The result is empty if there is no server, or if its process id now belongs to
     * another program, which must not be touched.
     */
    static Optional<ServerProcess> find(Path numberFile, Path folder) {
        return number(numberFile)
                .flatMap(ProcessHandle::of)
                .map(process -> new ServerProcess(process, folder))
                .filter(ServerProcess::runs);
    }

    /**
     * Returns whether any server uses the folder, even if no file has its process id. This check is slow, because it
     * looks at all processes.
     */
    static boolean anyRuns(Path folder) {
        return ProcessHandle.allProcesses().anyMatch(process -> new ServerProcess(process, folder).runs());
    }

    /**
     * Returns whether this is a running server of the folder. PostgreSQL and Redis get the folder as an argument, and
     * no other process does. A zombie process has no arguments any more and does not count as running.
     */
    boolean runs() {
        return process.isAlive()
                && process.info()
                        .arguments()
                        .map(arguments -> List.of(arguments).contains(folder.toString()))
                        .orElse(false);
    }

    /** Sends the given signals, one after the other, and kills the process if it still runs after that. */
    void stop(StopRequest... requests) {
        for (StopRequest request : requests) {
            send(request.signal());
            if (PollingWait.until(() -> !runs(), request.limit())) {
                return;
            }
        }
        process.destroyForcibly();
        PollingWait.until(() -> !runs(), KILL_MAX);
    }

    /**
     * Sends a signal with the shell's built-in {@code kill}, which knows all signals. Java can send only two, and the
     * program {@code kill} is not installed everywhere.
     */
    private void send(String signal) {
        try {
            Process shell = new ProcessBuilder("sh", "-c", "kill -s " + signal + " " + process.pid())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            PollingWait.until(() -> !shell.isAlive(), KILL_MAX);
        } catch (IOException noShell) {
            process.destroy();
        }
    }

    private static Optional<Long> number(Path numberFile) {
        try {
            return Files.readAllLines(numberFile).stream()
                    .findFirst()
                    .map(String::strip)
                    .filter(line -> line.matches("\\d{1,18}"))
                    .map(Long::valueOf);
        } catch (NoSuchFileException neverStarted) {
            return Optional.empty();
        } catch (IOException cause) {
            throw new EmbeddedServersFailedException(
                    "The file %s cannot be read; make it readable or set lottery.data to another folder."
                            .formatted(numberFile),
                    cause);
        }
    }
}
