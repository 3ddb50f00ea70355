package lottery.bench;

import java.sql.SQLException;

/** Adds to a history what happens to the chances of users. */
final class AccountEvents {

    static final String ANN = "account:33:100:ann";
    static final String BOB = "account:00:100:bob";
    static final String CAT = "account:28:200:cat";
    static final String DAN = "account:17:300:dan";
    static final String EVE = "account:3e:100:eve";

    /** Two chances. */
    static final String TWO = "{\"total\":2,\"month\":2,\"day\":2}";

    private final HistoryStore history;

    AccountEvents(HistoryStore history) {
        this.history = history;
    }

    /** Adds two events: the recharge of a SKU without a limit, with its chances. */
    void recharge(String account, long sequence, String user, int total, int month, int day) throws SQLException {
        String bundle = "{\"total\":%d,\"month\":%d,\"day\":%d}".formatted(total, month, day);
        String recharge = shardOf(account) + "-r" + sequence;
        added(account, sequence, user, recharge, bundle);
        history.event("recharge:" + recharge, 0, "recharge.completed", """
                {"rechargeId":"recharge:%s","activityId":%s,"userId":"%s","sku":9001,"outBusinessNo":"b-%s","bundle":%s,\
                "unitTaken":false}""".formatted(
                        recharge, activityOf(account), user, recharge, bundle));
    }

    /** Adds one event: the account is given the free chances of its activity. */
    void freeChances(String account, long sequence, String user, int total, int month, int day) throws SQLException {
        history.event(account, sequence, "account.opened", """
                {"activityId":%s,"userId":"%s","bundle":{"total":%d,"month":%d,"day":%d}}""".formatted(activityOf(account), user, total, month, day));
    }

    private void added(String account, long sequence, String user, String recharge, String bundle) throws SQLException {
        history.event(
                account, sequence, "account.recharged", """
                {"activityId":%s,"userId":"%s","rechargeId":"recharge:%s","bundle":%s}""".formatted(activityOf(account), user, recharge, bundle));
    }

    /** Adds two chances for Cat. */
    void added(String account, long sequence, String recharge) throws SQLException {
        added(account, sequence, "cat", recharge, TWO);
    }

    /** Adds one event: a chance is spent in an activity that does not limit participations. */
    void spend(String account, long sequence, String user, String key, String day) throws SQLException {
        spend(account, sequence, user, key, day, false, false);
    }

    /** Lets Cat spend a chance, and take a participation, for an order that is drawn at once. */
    void spendOfCat(long sequence, String key, String day) throws SQLException {
        spend(CAT, sequence, "cat", key, day, false, true);
    }

    /** Lets Cat spend a chance, and take a participation, for an order that stays open. */
    void open(long sequence, String key, String day) throws SQLException {
        spend(CAT, sequence, "cat", key, day, true, true);
    }

    void spend(
            String account,
            long sequence,
            String user,
            String key,
            String day,
            boolean open,
            boolean participationTaken)
            throws SQLException {
        history.event(account, sequence, "account.chance-spent", """
                {"activityId":%s,"userId":"%s","orderId":"order:%s","day":"%s","open":%s,"participationTaken":%s}""".formatted(
                        activityOf(account), user, key, day, open, participationTaken));
    }

    void use(long sequence, String key, String day) throws SQLException {
        ofChance("account.order-used", CAT, sequence, "cat", key, day);
    }

    void giveBack(long sequence, String key, String day) throws SQLException {
        giveBack(CAT, sequence, "cat", key, day);
    }

    void giveBack(String account, long sequence, String user, String key, String day) throws SQLException {
        ofChance("account.chance-returned", account, sequence, user, key, day);
    }

    private void ofChance(String name, String account, long sequence, String user, String key, String day)
            throws SQLException {
        history.event(account, sequence, name, """
                {"activityId":%s,"userId":"%s","orderId":"order:%s","day":"%s"}""".formatted(activityOf(account), user, key, day));
    }

    private static String shardOf(String account) {
        return account.split(":", 3)[1];
    }

    private static String activityOf(String account) {
        return account.replaceFirst("account:..:(\\d+):.*", "$1");
    }
}
