package lottery.view.wins;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import lottery.api.award.AwardState;
import lottery.api.award.Win;
import lottery.view.UnnestColumn;

/** Encodes the states of a win, each with the time at which it began, as one text that grows at its end. */
final class WinStepsCodec {

    private static final String BETWEEN = ", ";
    private static final String SINCE = " ";

    private WinStepsCodec() {}

    static String first(Instant wonAt) {
        return step(AwardState.WON, wonAt);
    }

    static String next(String before, AwardState state, Instant at) {
        return before + BETWEEN + step(state, at);
    }

    /** Encodes a step. Its time has the precision of a PostgreSQL column. */
    private static String step(AwardState state, Instant at) {
        return state + SINCE + UnnestColumn.text(at);
    }

    static List<Win.WinStep> in(String text) {
        return Stream.of(text.split(BETWEEN, -1))
                .map(step -> step.split(SINCE, 2))
                .map(step -> new Win.WinStep(AwardState.valueOf(step[0]), Instant.parse(step[1])))
                .toList();
    }
}
