package lottery.view.winners;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongBinaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The positions up to which a reader knows the winners, one for each log, in the order of the logs. Its text is opaque
 * to callers.
 */
record WinnerPositions(List<Long> ofLogs) {

    /** A position after all winners of a log, so that a stream begins with the next one. */
    static final long FROM_NOW_ON = 999_999_999_999_999_999L;

    private static final Pattern POSITION = Pattern.compile("[0-9]{1,18}");

    WinnerPositions {
        ofLogs = List.copyOf(ofLogs);
    }

    /** Reads the text of positions; empty if it is not one for this number of logs. */
    static Optional<WinnerPositions> of(String text, int logs) {
        String[] positions = text.split("[.]", logs + 1);
        return positions.length == logs
                        && Stream.of(positions)
                                .allMatch(each -> POSITION.matcher(each).matches())
                ? Optional.of(new WinnerPositions(
                        Stream.of(positions).map(Long::valueOf).toList()))
                : Optional.empty();
    }

    /** Returns the positions before all winners. */
    static WinnerPositions none(int logs) {
        return new WinnerPositions(IntStream.range(0, logs).mapToObj(_ -> 0L).toList());
    }

    long of(int log) {
        return ofLogs.get(log);
    }

    WinnerPositions with(int log, long position) {
        List<Long> changed = new ArrayList<>(ofLogs);
        changed.set(log, position);
        return new WinnerPositions(changed);
    }

    /** Returns the higher position of each log. */
    WinnerPositions max(WinnerPositions other) {
        return combined(other, Math::max);
    }

    /** Returns the lower position of each log. */
    WinnerPositions min(WinnerPositions other) {
        return combined(other, Math::min);
    }

    private WinnerPositions combined(WinnerPositions other, LongBinaryOperator choice) {
        return new WinnerPositions(IntStream.range(0, ofLogs.size())
                .mapToObj(log -> choice.applyAsLong(of(log), other.of(log)))
                .toList());
    }

    /** Returns whether these positions are not before the others in any log. */
    boolean reach(WinnerPositions other) {
        return min(other).equals(other);
    }

    String text() {
        return ofLogs.stream().map(String::valueOf).collect(Collectors.joining("."));
    }
}
