package lottery.app.security;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The roles of callers, as a token's claim {@code lottery_roles} names them in small letters. */
public enum CallerRole {
    /** Plays. The name of the caller is the id of the user. */
    PLAYER,
    /** A shop or an app that acts for its players. */
    FRONT,
    /** A payment system, which says what was paid for. */
    PAYMENTS,
    /** A system that hands awards over, of all types, or of those that stand behind a colon. */
    FULFILMENT,
    /** Prepares and runs activities. */
    OPERATOR,
    /** Approves what operators have prepared. */
    APPROVER,
    /** Decides about what does not go on by itself. */
    DESK,
    /** Reads everything, and changes nothing. */
    AUDITOR,
    /** Collects metrics. */
    METRICS,
    /** Gives accounts and their roles, where the lottery has accounts of its own. */
    ADMIN;

    private static final Pattern AWARD_TYPE = Pattern.compile("[A-Z]{1,40}");

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<CallerRole> of(String word) {
        return Stream.of(values()).filter(role -> role.word().equals(word)).findFirst();
    }

    /** Returns whether a word names a role, such as {@code desk} or {@code fulfilment:COUPON}. */
    public static boolean isWord(String word) {
        String ofTypes = FULFILMENT.word() + ":";
        return word.startsWith(ofTypes)
                ? AWARD_TYPE.matcher(word.substring(ofTypes.length())).matches()
                : of(word).isPresent();
    }
}
