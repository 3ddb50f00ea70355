package lottery.bench.store.variant;

/**
 * The measured unit of work, with four events of three aggregates. An existing account spends a chance, an order is
 * created and drawn, and an award is created.
 */
public record BenchmarkDraw(String account, String order, String award) {

    public static final int EVENTS = 4;

    /** The number of accounts. It is so large that two draws under way never use the same account. */
    public static final int ACCOUNTS = 4_096;

    static BenchmarkDraw number(long number) {
        int user = (int) (number % ACCOUNTS);
        String key = "user-%04d-%016x".formatted(user, scattered(number));
        return new BenchmarkDraw(account(user), "order:" + key, "award:" + key);
    }

    /** Returns how many draws of the same account came before. */
    static int before(long number) {
        return Math.toIntExact(number / ACCOUNTS);
    }

    static String account(int user) {
        return "account:100:user-%04d".formatted(user);
    }

    /**
     * Returns a number for a key, so that keys of successive draws are in no order, like those of real draws. Different
     * numbers give different results.
     */
    private static long scattered(long number) {
        long mixed = (number + 1) * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }
}
