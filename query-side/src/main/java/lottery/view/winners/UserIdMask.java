package lottery.view.winners;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * So much of a user's id that its owner knows it again, and nobody else finds out who that is: a third of it at most,
 * and no hint how long it is. It is cut between what people take for characters, of which an emoji is one.
 */
final class UserIdMask {

    private static final String STARS = "***";
    private static final Pattern CHARACTER = Pattern.compile("\\X");

    /**
     * What is not seen and changes how the rest is seen, such as its direction. It would garble other people's pages.
     */
    private static final Pattern UNSEEN = Pattern.compile("[\\p{Cf}&&[^\\u200D]]");

    private UserIdMask() {}

    /** Of what looks like an e-mail address only the part before the domain: the domain may say who it is by itself. */
    static String of(String userId) {
        int at = userId.lastIndexOf('@');
        return at > 0 ? ofWhole(userId.substring(0, at)) + "@" + STARS : ofWhole(userId);
    }

    private static String ofWhole(String text) {
        List<String> characters = CHARACTER
                .matcher(UNSEEN.matcher(text).replaceAll(""))
                .results()
                .map(MatchResult::group)
                .toList();
        int shown = characters.size() / 3;
        int before = Math.min(2, (shown + 1) / 2);
        int after = Math.min(2, shown / 2);
        return String.join("", characters.subList(0, before))
                + STARS
                + String.join("", characters.subList(characters.size() - after, characters.size()));
    }
}
