package lottery.bench;

import java.sql.SQLException;

/** Adds to a history what happens to awards after their draw. */
final class AwardEvents {

    /** The times at which awards are handed over. */
    static final String AT_ONCE = "{\"timing\":\"INSTANT\"}";

    static final String ON_RELEASE = "{\"timing\":\"MANUAL\"}";
    static final String LONG_PAST = "{\"timing\":\"SCHEDULED\",\"at\":\"2001-12-31T16:00:00.1234567Z\"}";
    static final String FAR_AHEAD = "{\"timing\":\"SCHEDULED\",\"at\":\"2999-12-31T16:00:00.1234567Z\"}";

    static final int COFFEE = 101;

    /** An award with three units. */
    static final int CINEMA = 102;

    /** An award with three units, each of which waits for an address. */
    static final int BICYCLE = 103;

    /** An award that the strategy does not know, which no invariant minds. */
    static final int CREDITS = 104;

    private final HistoryStore history;

    AwardEvents(HistoryStore history) {
        this.history = history;
    }

    void win(String user, String key, int award) throws SQLException {
        win(0, user, key, award);
    }

    void win(long sequence, String user, String key, int award) throws SQLException {
        win(sequence, user, key, award, AT_ONCE);
    }

    void win(long sequence, String user, String key, int award, String grant) throws SQLException {
        win(sequence, 100, user, key, award, grant);
    }

    /** Adds a win. It takes a unit if the award is limited. */
    void win(long sequence, long activity, String user, String key, int award, String grant) throws SQLException {
        win(sequence, activity, user, key, award, award == CINEMA || award == BICYCLE, grant, "");
    }

    /** Adds the win of a coffee instead of another award. */
    void winInsteadOf(String other, String key, int activity, String user) throws SQLException {
        winInsteadOf(other, key, activity, user, false);
    }

    void winInsteadOf(String other, String key, int activity, String user, boolean unitTaken) throws SQLException {
        win(0, activity, user, key, COFFEE, unitTaken, AT_ONCE, ",\"insteadOf\":\"%s\"".formatted(other));
    }

    void win(
            long sequence,
            long activity,
            String user,
            String key,
            int award,
            boolean unitTaken,
            String grant,
            String more)
            throws SQLException {
        history.event("award:" + key, sequence, "award.won", """
                {"awardRecordId":"award:%s","activityId":%d,"userId":"%s",%s,"unitTaken":%s,"config":{},"grant":%s,"onFailure":"MANUAL"%s,\
                "wonAt":"2026-11-30T04:00:00.1234567Z"}""".formatted(
                        key, activity, user, prize(award), unitTaken, grant, more));
    }

    void answer(String user, String key, long sequence, String name, String more) throws SQLException {
        history.event("award:" + key, sequence, name, """
                {"awardRecordId":"award:%s","userId":"%s"%s}""".formatted(key, user, more));
    }

    static String prize(int award) {
        String what = switch (award) {
            case COFFEE -> "\"title\":\"Coffee\",\"type\":\"TEXT\"";
            case CINEMA -> "\"title\":\"Cinema\",\"type\":\"TEXT\",\"amount\":\"8.5\"";
            case CREDITS -> "\"title\":\"Points\",\"type\":\"CREDIT\",\"amount\":\"8.5\"";
            default -> "\"title\":\"Bicycle\",\"type\":\"PHYSICAL\"";
        };
        return """
                "award":{"awardId":%d,%s,"sort":%d}""".formatted(award, what, award - 100);
    }
}
