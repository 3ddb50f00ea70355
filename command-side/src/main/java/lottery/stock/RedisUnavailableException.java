package lottery.stock;

/** Thrown if Redis does not answer or refuses writes. The operation may have taken effect nevertheless. */
final class RedisUnavailableException extends Exception {

    private static final long serialVersionUID = 1;

    RedisUnavailableException(Throwable cause) {
        super("Redis does not answer", cause);
    }
}
