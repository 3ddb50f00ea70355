package lottery.embedded;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reports to the user at the terminal which part of the start is done and how long that part took. Any thread may call
 * these methods.
 */
interface StartProgress {

    /** Reports that the servers are about to start. */
    void begins(Set<ServerInstance> servers);

    /** Reports that this server is ready. */
    void started(ServerInstance server, Duration took);

    StartProgress SILENT = new StartProgress() {

        @Override
        public void begins(Set<ServerInstance> servers) {}

        @Override
        public void started(ServerInstance server, Duration took) {}
    };

    /** Prints a line for each part. */
    record Printed(PrintStream out) implements StartProgress {

        /** Prints how long Maven took to download and compile before it started this process. */
        void compiled(Instant parentStarted) {
            print("Build", Duration.between(parentStarted, Instant.now()), ": download what is missing, compile");
        }

        @Override
        public void begins(Set<ServerInstance> servers) {
            out.println("Starting "
                    + servers.stream()
                            .sorted(Comparator.comparing(ServerInstance::kind).thenComparingInt(ServerInstance::index))
                            .map(ServerInstance::title)
                            .collect(Collectors.joining(", "))
                    + " ...");
        }

        @Override
        public void started(ServerInstance server, Duration took) {
            print(server.title(), took, "");
        }

        private void print(String part, Duration took, String what) {
            out.println(String.format(Locale.ROOT, "  %-11s %5.1f s%s", part, took.toMillis() / 1e3, what));
        }
    }
}
