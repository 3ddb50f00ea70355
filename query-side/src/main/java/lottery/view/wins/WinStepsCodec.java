package lottery.view.wins;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import lottery.api.award.AwardState;
import lottery.api.award.Win;
import lottery.view.UnnestColumn;

/** The states that a win has been in, each with when that began, in one text that grows at its end. */
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

    /** Its time is that which a column would have. */
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
