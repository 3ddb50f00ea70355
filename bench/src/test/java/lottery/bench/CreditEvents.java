package lottery.bench;

import java.sql.SQLException;

/** Adds to a history prices in credits and bookings of credits. */
final class CreditEvents {

    static final String EVES_CREDITS = "credit:3e:eve";

    private final HistoryStore history;

    CreditEvents(HistoryStore history) {
        this.history = history;
    }

    /** Lets this SKU of the activity cost two credits from now on. */
    void price(int activity, int sku) throws SQLException {
        history.event("activity:" + activity, 40, "activity.edited", """
                {"activityId":%d,"definition":{"name":"Spring","beginsAt":"2026-11-21T04:00:00Z","endsAt":"2027-11-22T04:00:00Z",\
                "zone":"Asia/Shanghai","strategyId":7,"skus":[{"sku":%d,"bundle":{"total":2,"month":2,"day":2},"priceCredits":"2"}]}}""".formatted(activity, sku));
    }

    /** Adds a booking of Eve's credits, with the claim of its number. */
    void book(long entry, String amount, String balance, String businessNo) throws SQLException {
        history.event(EVES_CREDITS, entry - 1, "credit.booked", """
                {"userId":"eve","entry":%d,"amount":"%s","balance":"%s","businessNo":"%s","bookedAt":"2026-11-30T04:00:00.1234567Z"}""".formatted(entry, amount, balance, businessNo));
        history.sql("INSERT INTO claim VALUES ('%s', '%s', '%d', 50) ON CONFLICT DO NOTHING"
                .formatted(EVES_CREDITS, businessNo, entry));
    }
}
