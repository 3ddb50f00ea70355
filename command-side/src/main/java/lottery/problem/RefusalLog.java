package lottery.problem;

import java.time.InstantSource;
import java.util.OptionalLong;
import java.util.function.Consumer;
import lottery.api.Refusal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * Logs refused requests, so that the trace id of a problem document is found in the log. A crowd causes thousands of
 * refusals a second. Therefore only the first ones of each second are logged, and the others are counted. It is
 * thread-safe.
 */
@Component
final class RefusalLog {

    private static final int LINES_PER_SECOND = 10;

    private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);

    private final InstantSource clock;
    private final Consumer<String> lines;

    private long second;
    private int linesInSecond;
    private long unlogged;

    @Autowired
    RefusalLog(InstantSource clock) {
        this(clock, LOG::info);
    }

    /** @param lines receives each line */
    RefusalLog(InstantSource clock, Consumer<String> lines) {
        this.clock = clock;
        this.lines = lines;
    }

    void refused(Refusal refusal) {
        lineDue().ifPresent(others -> {
            if (others > 0) {
                lines.accept(
                        "%d more requests were refused and not logged, because there were too many".formatted(others));
            }
            lines.accept("A request was refused: " + refusal);
        });
    }

    /** Returns how many refusals were not logged since the latest line, or nothing if this one is not logged either. */
    private synchronized OptionalLong lineDue() {
        long now = clock.instant().getEpochSecond();
        if (now != second) {
            second = now;
            linesInSecond = 0;
        }
        if (linesInSecond == LINES_PER_SECOND) {
            unlogged++;
            return OptionalLong.empty();
        }
        linesInSecond++;
        long others = unlogged;
        unlogged = 0;
        return OptionalLong.of(others);
    }
}
