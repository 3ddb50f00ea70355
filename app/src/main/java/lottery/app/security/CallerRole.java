package lottery.app.security;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The roles of callers, as a token's claim {@code lottery_roles} names them in small letters. */
enum CallerRole {
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
    METRICS;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<CallerRole> of(String word) {
        return Stream.of(values()).filter(role -> role.word().equals(word)).findFirst();
    }
}
