package lottery.bench.load;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * The metrics of the lottery, read over HTTP.
 *
 * @param lag events that the slowest processor has not seen yet; empty if it is not known
 * @param head events in its log; empty if it is not known
 * @param heapMb used; 0 if it is not known
 */
record ServerMetrics(OptionalLong lag, OptionalLong head, long heapMb) {

    static final ServerMetrics UNKNOWN = new ServerMetrics(OptionalLong.empty(), OptionalLong.empty(), 0);

    private static final Duration ANSWER_MAX = Duration.ofSeconds(10);
    private static final String LAG = "lottery_projection_lag_events";
    private static final String HEAD = "lottery_log_events";
    private static final String MEMORY = "jvm_memory_used_bytes";
    private static final String HEAP = MEMORY + "{area=\"heap\"";

    /** Asks for these metrics only: to tell all of them costs the lottery as much as some twenty draws. */
    private static final String WHERE = "/actuator/prometheus?includedNames=" + String.join(",", LAG, HEAD, MEMORY);

    static ServerMetrics of(URI lottery) {
        try (HttpConnection line = HttpConnection.open(lottery, ANSWER_MAX)) {
            HttpConnection.Reply reply = line.ask(HttpConnection.get(lottery, WHERE));
            return reply.isDone() ? parse(reply.text()) : UNKNOWN;
        } catch (IOException e) {
            return UNKNOWN; // A lottery that does not show its metrics can still be measured.
        }
    }

    static ServerMetrics parse(String metrics) {
        double lag = Double.NaN;
        double head = Double.NaN;
        double heap = 0;
        for (String line : metrics.split("\n", -1)) {
            if (line.startsWith(LAG + "{")) {
                // The lag is NaN for a processor whose position is in memory alone, and for all of them while the
                // database cannot be read.
                double value = value(line);
                lag = Double.isNaN(lag) || value > lag ? value : lag;
            } else if (line.startsWith(HEAD)) {
                head = value(line);
            } else if (line.startsWith(HEAP)) {
                heap += value(line);
            }
        }
        return new ServerMetrics(known(lag), known(head), Math.round(heap / (1 << 20)));
    }

    private static double value(String line) {
        return Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
    }

    private static OptionalLong known(double value) {
        return Double.isFinite(value) ? OptionalLong.of((long) value) : OptionalLong.empty();
    }

    boolean hasSeenAll() {
        return lag.isPresent() && lag.getAsLong() == 0;
    }
}
