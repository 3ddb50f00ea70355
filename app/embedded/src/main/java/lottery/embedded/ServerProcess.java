package lottery.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A server's own process, found by the file to which the server writes its process number. In this way a server is
 * found that has outlived the process that started it.
 */
record ServerProcess(ProcessHandle process, Path folder) {

    private static final Duration KILL_MAX = Duration.ofSeconds(5);

    /** A signal that asks for the end, and how long to wait for it. */
    record Ask(String signal, Duration limit) {}

    /**
     * Returns the server that runs. Empty if there is none, or if its number now belongs to another program, which must
     * not be touched.
     */
    static Optional<ServerProcess> find(Path numberFile, Path folder) {
        return number(numberFile)
                .flatMap(ProcessHandle::of)
                .map(process -> new ServerProcess(process, folder))
                .filter(ServerProcess::runs);
    }

    /**
     * Returns whether any server runs on the folder, with or without its number in a file. Slow, as it looks at all
     * processes.
     */
    static boolean anyRuns(Path folder) {
        return ProcessHandle.allProcesses().anyMatch(process -> new ServerProcess(process, folder).runs());
    }

    /**
     * Returns whether this is a running server: both servers get their folder as an argument, and nothing else does. A
     * process that has ended and is not collected yet has no arguments any more, and does not run either.
     */
    boolean runs() {
        return process.isAlive()
                && process.info()
                        .arguments()
                        .map(arguments -> List.of(arguments).contains(folder.toString()))
                        .orElse(false);
    }

    /** Asks in the given ways, one after the other, and kills a process that still runs then. */
    void stop(Ask... asks) {
        for (Ask ask : asks) {
            send(ask.signal());
            if (PollingWait.until(() -> !runs(), ask.limit())) {
                return;
            }
        }
        process.destroyForcibly();
        PollingWait.until(() -> !runs(), KILL_MAX);
    }

    /**
     * Sends a signal by the shell, which knows all of them. Java knows two, and the tool `kill` is not installed
     * everywhere.
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
            throw new ServersRefused(
                    "The file %s cannot be read; make it readable or set lottery.data to another folder."
                            .formatted(numberFile),
                    cause);
        }
    }
}
