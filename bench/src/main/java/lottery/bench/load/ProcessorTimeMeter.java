package lottery.bench.load;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Measures how much processor time processes of this machine take: user and system time. Unlike a rate, it does not
 * depend on what other machines do on the same processors. A process that ends while it is measured is left out.
 */
final class ProcessorTimeMeter {

    private final Predicate<ProcessHandle> measured;
    private final Map<Long, Duration> before = new HashMap<>();

    private ProcessorTimeMeter(Predicate<ProcessHandle> measured) {
        this.measured = measured;
        handles().forEach(process -> before.put(process.pid(), timeOf(process)));
    }

    /** Begins to measure all processes but this one and those that have started it, for example Maven. */
    static ProcessorTimeMeter ofOthers() {
        Set<Long> own = new HashSet<>();
        Stream.iterate(
                        ProcessHandle.current(),
                        process -> process != null,
                        process -> process.parent().orElse(null))
                .forEach(process -> own.add(process.pid()));
        return new ProcessorTimeMeter(process -> !own.contains(process.pid()));
    }

    /** Begins to measure this process and PostgreSQL. */
    static ProcessorTimeMeter ofThisAndPostgres() {
        return new ProcessorTimeMeter(process -> process.equals(ProcessHandle.current())
                || process.info()
                        .command()
                        .filter(path -> path.endsWith("postgres"))
                        .isPresent());
    }

    /** Returns the processor time since the begin. */
    Duration taken() {
        return handles()
                .map(process -> timeOf(process).minus(before.getOrDefault(process.pid(), Duration.ZERO)))
                .reduce(Duration.ZERO, Duration::plus);
    }

    private Stream<ProcessHandle> handles() {
        return ProcessHandle.allProcesses().filter(measured);
    }

    private static Duration timeOf(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }
}
