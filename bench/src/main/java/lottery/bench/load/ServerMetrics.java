package lottery.bench.load;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * The metrics of the lottery, read over HTTP.
 *
 * @param lag how many events the slowest processor is behind; empty if it is unknown
 * @param head the number of events in its log; empty if it is unknown
 * @param heapMb the used heap in megabytes; 0 if it is unknown
 */
record ServerMetrics(OptionalLong lag, OptionalLong head, long heapMb) {

    static final ServerMetrics UNKNOWN = new ServerMetrics(OptionalLong.empty(), OptionalLong.empty(), 0);

    private static final Duration ANSWER_MAX = Duration.ofSeconds(10);
    private static final String LAG = "lottery_projection_lag_events";
    private static final String HEAD = "lottery_log_events";
    private static final String MEMORY = "jvm_memory_used_bytes";
    private static final String HEAP = MEMORY + "{area=\"heap\"";

    /** The path with only the needed metrics. To return all metrics costs the lottery as much as about twenty draws. */
    private static final String WHERE = "/actuator/prometheus?includedNames=" + String.join(",", LAG, HEAD, MEMORY);

    static ServerMetrics of(URI lottery) {
        try (HttpConnection connection = HttpConnection.open(lottery, ANSWER_MAX)) {
            HttpConnection.HttpReply reply = connection.ask(HttpConnection.get(lottery, WHERE));
            return reply.isDone() ? parse(reply.text()) : UNKNOWN;
        } catch (IOException e) {
            return UNKNOWN; // A lottery without readable metrics can still be measured.
        }
    }

    static ServerMetrics parse(String metrics) {
        double lag = Double.NaN;
        double head = Double.NaN;
        double heap = 0;
        for (String line : metrics.split("\n", -1)) {
            if (line.startsWith(LAG + "{")) {
                // The lag is NaN for a processor that keeps its position only in memory, and for all processors while
                // the database cannot be read.
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
