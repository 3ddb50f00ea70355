package lottery.view.winners;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Masks a user's id so that its owner recognises it, and nobody else learns who the user is. It shows at most a third
 * of the id, and hides its length. It cuts only between visible characters, and an emoji is one such character.
 */
final class UserIdMask {

    private static final String STARS = "***";
    private static final Pattern CHARACTER = Pattern.compile("\\X");

    /**
     * Invisible characters that change how other characters are shown, for example their direction. They are removed,
     * because they would garble the page.
     */
    private static final Pattern UNSEEN = Pattern.compile("[\\p{Cf}&&[^\\u200D]]");

    private UserIdMask() {}

    /** Masks an id. In an e-mail address it masks the local part, and hides the domain, which may identify the user. */
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
