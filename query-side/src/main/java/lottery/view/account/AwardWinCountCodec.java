package lottery.view.account;

import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Encodes how often a user has won awards that have a limit per user: {@code 101:2 103:1}. */
final class AwardWinCountCodec {

    static final String NONE = "";

    private AwardWinCountCodec() {}

    static Map<Integer, Integer> of(String text) {
        return text.isEmpty() ? Map.of() : parsed(text);
    }

    private static SortedMap<Integer, Integer> parsed(String text) {
        SortedMap<Integer, Integer> wins = new TreeMap<>();
        if (!text.isEmpty()) {
            Arrays.stream(text.split(" ", -1))
                    .map(each -> each.split(":", -1))
                    .forEach(each -> wins.put(Integer.valueOf(each[0]), Integer.valueOf(each[1])));
        }
        return wins;
    }

    /** Returns the text after one more win of the award. */
    static String plus(String text, int awardId) {
        SortedMap<Integer, Integer> wins = parsed(text);
        wins.merge(awardId, 1, Integer::sum);
        return wins.entrySet().stream()
                .map(award -> award.getKey() + ":" + award.getValue())
                .collect(Collectors.joining(" "));
    }
}
