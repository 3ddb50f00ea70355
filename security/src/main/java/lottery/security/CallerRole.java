package lottery.security;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The roles of callers. A token's claim {@code lottery_roles} names them in lower case. */
public enum CallerRole {
    /** A player. The name of the caller is the id of the user. */
    PLAYER,
    /** A shop or an app that acts for its players. */
    FRONT,
    /** A payment system, which reports payments. */
    PAYMENTS,
    /**
     * A system that hands awards over. A role with a type, such as {@code fulfilment:COUPON}, allows only awards of
     * that type.
     */
    FULFILMENT,
    /** Staff who prepare and run activities. */
    OPERATOR,
    /** Staff who approve what operators have prepared. */
    APPROVER,
    /** Staff at the desk, who decide cases that do not continue by themselves. */
    DESK,
    /** Staff who may read everything and change nothing. */
    AUDITOR,
    /** A system that collects metrics. */
    METRICS,
    /** Staff who manage accounts and their roles, if the lottery has accounts of its own. */
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
