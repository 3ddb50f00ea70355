package lottery.store.log;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Pages of a list that all logs make together, the newest items first. In each log the list is ordered by a position.
 * Items of several logs are ordered by their times. The cursor of a page has a position for each log.
 */
public final class MergedPages {

    private static final Pattern POSITIONS = Pattern.compile("[1-9][0-9]{0,18}(?:[.][1-9][0-9]{0,18})*");

    /** A cursor of the audit in version 1.0.0, where there was one log. No other cursor has digits alone. */
    private static final Pattern PLAIN = Pattern.compile("[1-9][0-9]{0,18}");

    /** How long a cursor can be: in base 64, the digits of a position and a point take 27 characters. */
    private static final int CURSOR_LENGTH_PER_LOG = 28;

    private final Logs logs;

    MergedPages(Logs logs) {
        this.logs = logs;
    }

    /** An item of the list. */
    public interface MergedItem {

        /** Returns the position by which its log orders it. */
        long position();

        Instant at();
    }

    /**
     * A page of a list that all logs make together.
     *
     * @param next the cursor of the next page; null on the last page
     */
    public record MergedPage<T>(List<T> items, @Nullable String next) {}

    /**
     * Returns a page. In each log, {@code list} gets a position and a maximum, and reads the items below it.
     *
     * @throws IllegalArgumentException if the text is no cursor
     */
    public <T extends MergedItem> MergedPage<T> read(
            @Nullable String cursor, int limit, BiFunction<Long, Integer, List<T>> list) {
        List<Long> below = positions(cursor).orElseThrow(() -> new IllegalArgumentException("not a cursor"));
        // One item more than asked for shows whether there is a next page.
        List<List<Placed<T>>> found = logs.all().stream()
                .map(log -> log.call(() -> list.apply(below.get(log.number()), limit + 1).stream()
                        .map(item -> new Placed<>(log.number(), item))
                        .toList()))
                .toList();
        List<Placed<T>> merged = merge(
                found,
                Comparator.<Placed<T>, Instant>comparing(placed -> placed.item().at())
                        .reversed(),
                limit);
        merged.forEach(placed -> below.set(placed.log(), placed.item().position()));
        return new MergedPage<>(
                merged.stream().map(Placed::item).toList(),
                found.stream().mapToInt(List::size).sum() == merged.size() ? null : text(below));
    }

    /** An item of the list of one log. */
    private record Placed<T>(int log, T item) {}

    /**
     * Returns the beginning of a list that several lists make together. The items of each list stay in their order,
     * which need not be the given one.
     */
    public static <T> List<T> merge(List<List<T>> lists, Comparator<? super T> order, int max) {
        List<Queue<T>> rest = lists.stream().<Queue<T>>map(ArrayDeque::new).toList();
        List<T> merged = new ArrayList<>();
        while (merged.size() < max) {
            Optional<Queue<T>> next =
                    rest.stream().filter(queue -> !queue.isEmpty()).min(Comparator.comparing(Queue::element, order));
            if (next.isEmpty()) {
                break;
            }
            merged.add(next.get().remove());
        }
        return merged;
    }

    private static String text(List<Long> below) {
        String plain = below.stream().map(String::valueOf).collect(Collectors.joining("."));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(plain.getBytes(US_ASCII));
    }

    /** Returns the positions below which a page begins, one for each log; empty if the text is no cursor. */
    public Optional<List<Long>> positions(@Nullable String cursor) {
        int size = logs.all().size();
        if (cursor == null) {
            return Optional.of(new ArrayList<>(Collections.nCopies(size, Long.MAX_VALUE)));
        }
        if (cursor.length() > CURSOR_LENGTH_PER_LOG * size) {
            return Optional.empty();
        }
        try {
            String plain = PLAIN.matcher(cursor).matches()
                    ? cursor
                    : new String(Base64.getUrlDecoder().decode(cursor), US_ASCII);
            return POSITIONS.matcher(plain).matches()
                    ? Optional.<List<Long>>of(new ArrayList<>(Stream.of(plain.split("[.]"))
                                    .map(Long::valueOf)
                                    .toList()))
                            .filter(positions -> positions.size() == size)
                    : Optional.empty();
        } catch (IllegalArgumentException notOurs) {
            return Optional.empty();
        }
    }
}
