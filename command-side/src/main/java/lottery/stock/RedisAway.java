package lottery.stock;

/** Redis did not answer, or does not take anything. What it was asked for may have happened. */
final class RedisAway extends Exception {

    private static final long serialVersionUID = 1;

    RedisAway(Throwable cause) {
        super("Redis does not answer", cause);
    }
}
