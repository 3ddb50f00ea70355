package lottery.bench.load;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** A scenario: the requests that users send. */
enum LoadScenario {
    /** Users draw in turn, again and again. Each draw wins an award, which is granted. */
    DRAWS,
    /**
     * Draws win a TEXT award (60 of 100), credits (25), a code (10, as long as codes are left), or an award that an
     * external system hands over (5).
     */
    USUAL,
    /** All draws win an award that an external system hands over. That system reads its invoices from Kafka. */
    OUTSIDE,
    /** Half of the draws win credits, which are booked to the user's account. */
    CREDITS,
    /** Half of the draws win a code, as long as there are any. */
    CODES,
    /** Half of the draws pick an award with few units. */
    SELL_OUT,
    /** One user draws on all connections at the same time. */
    HOT_USER,
    /** All requests read the wheel. */
    WHEEL,
    /** There are a hundred queries for each draw: of the wheel, of chances and of awards. */
    MIXED;

    static final String NAMES = Arrays.stream(values()).map(LoadScenario::word).collect(Collectors.joining(", "));

    /** The award that has codes, in scenarios with codes. */
    static final int CODE_AWARD = 2;

    private static final int QUERIES_PER_DRAW = 100;

    static LoadScenario named(String word) {
        return Arrays.stream(values())
                .filter(scenario -> scenario.word().equals(word))
                .findAny()
                .orElseThrow(() -> new IllegalArgumentException("--scenario is one of " + NAMES + ", not " + word));
    }

    boolean hasCodes() {
        return this == CODES || this == USUAL;
    }

    /** Returns whether there are awards that the lottery does not hand over itself. */
    boolean needsDownstream() {
        return this == USUAL || this == OUTSIDE;
    }

    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    String awards(int units) {
        return switch (this) {
            case USUAL -> """
                {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "0.6", "sort": 1, "config": {"text": "A cup"}},
                {"awardId": %d, "title": "Voucher", "type": "CODE", "rate": "0.1", "sort": 2, "onFailure": "SUBSTITUTE"},
                {"awardId": 3, "title": "Points", "type": "CREDIT", "rate": "0.25", "sort": 3, "config": {"credits": "5"}},
                {"awardId": 4, "title": "Coupon", "type": "COUPON", "rate": "0.05", "sort": 4}""".formatted(CODE_AWARD);
            case OUTSIDE -> """
                {"awardId": 1, "title": "Coupon", "type": "COUPON", "rate": "1", "sort": 1}""";
            case SELL_OUT -> """
                {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "0.5", "sort": 1, "config": {"text": "A cup"}},
                {"awardId": 2, "title": "Ticket", "type": "TEXT", "rate": "0.5", "sort": 2, "stock": %d}""".formatted(units);
            case CREDITS -> """
                {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "0.5", "sort": 1, "config": {"text": "A cup"}},
                {"awardId": 2, "title": "Points", "type": "CREDIT", "rate": "0.5", "sort": 2, "amount": {"min": "1", "max": "9"}}""";
            case CODES -> """
                {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "0.5", "sort": 1, "config": {"text": "A cup"}},
                {"awardId": %d, "title": "Voucher", "type": "CODE", "rate": "0.5", "sort": 2, "onFailure": "SUBSTITUTE"}""".formatted(CODE_AWARD);
            case DRAWS, HOT_USER, WHEEL, MIXED -> """
                {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "0.5", "sort": 1, "config": {"text": "A cup"}},
                {"awardId": 2, "title": "Cinema", "type": "TEXT", "rate": "0.2", "sort": 2},
                {"awardId": 3, "title": "Book", "type": "TEXT", "rate": "0.1", "sort": 3},
                {"awardId": 4, "title": "Dinner", "type": "TEXT", "rate": "0.09", "sort": 4, "lockedUntilDraws": 3},
                {"awardId": 5, "title": "Phone", "type": "TEXT", "rate": "0.0999", "sort": 5, "lockedUntilDraws": 10},
                {"awardId": 6, "title": "Car", "type": "TEXT", "rate": "0.0001", "sort": 6, "stock": 100}""";
        };
    }

    byte[] request(LoadActivity activity, long number) {
        return switch (this) {
            case DRAWS, USUAL, OUTSIDE, CREDITS, CODES, SELL_OUT -> activity.draw(number, number);
            case HOT_USER -> activity.draw(0, number);
            case WHEEL -> activity.wheel(number);
            case MIXED -> mixed(activity, number);
        };
    }

    private static byte[] mixed(LoadActivity activity, long number) {
        long turn = number % (QUERIES_PER_DRAW + 1);
        if (turn == 0) {
            return activity.draw(number / (QUERIES_PER_DRAW + 1), number);
        }
        return turn % 10 == 1
                ? activity.chances(number)
                : turn % 10 == 2 ? activity.wins(number) : activity.wheel(number);
    }
}
