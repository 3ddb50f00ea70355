package lottery.bench.load;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the lottery says about itself, at its address for metrics.
 *
 * @param lag events that each processor has not seen yet
 * @param heapMb used
 */
record Vitals(Map<String, Long> lag, long heapMb) {

    static final Vitals UNKNOWN = new Vitals(Map.of(), 0);

    private static final Duration ANSWER_MAX = Duration.ofSeconds(10);
    private static final String LAG = "lottery_projection_lag_events{";
    private static final String HEAP = "jvm_memory_used_bytes{area=\"heap\"";

    static Vitals of(URI lottery) {
        try (Line line = Line.open(lottery, ANSWER_MAX)) {
            Line.Reply reply = line.ask(Line.get(lottery, "/actuator/prometheus"));
            return reply.isDone() ? parse(reply.text()) : UNKNOWN;
        } catch (IOException e) {
            return UNKNOWN; // Who measures a lottery that does not show its metrics gets the rest.
        }
    }

    static Vitals parse(String metrics) {
        Map<String, Long> lag = new TreeMap<>();
        double heap = 0;
        for (String line : metrics.split("\n", -1)) {
            if (line.startsWith(LAG)) {
                double value = value(line);
                if (!Double.isNaN(value)) {
                    lag.put(line.replaceFirst(".*processor=\"([^\"]*)\".*", "$1"), (long) value);
                }
            } else if (line.startsWith(HEAP)) {
                heap += value(line);
            }
        }
        return new Vitals(lag, Math.round(heap / (1 << 20)));
    }

    private static double value(String line) {
        return Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
    }

    long lagMax() {
        return lag.values().stream().mapToLong(Long::longValue).max().orElse(0);
    }
}
