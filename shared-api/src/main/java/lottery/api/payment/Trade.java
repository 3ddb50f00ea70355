package lottery.api.payment;

/**
 * One transfer of money by a provider.
 *
 * @param provider the name of the provider
 * @param tradeNo the provider's own number of the transfer
 */
public record Trade(String provider, String tradeNo) {

    /** The pattern of a provider's name. */
    public static final String PROVIDER = "[a-z0-9-]{1,32}";

    /** The pattern of a provider's number: printable ASCII without blanks. */
    public static final String NUMBER = "[\\x21-\\x7e]{1,128}";

    public Trade {
        if (!provider.matches(PROVIDER) || !tradeNo.matches(NUMBER)) {
            throw new IllegalArgumentException("no trade of a provider");
        }
    }

    /** Reads a trade from its text. */
    public static Trade of(String text) {
        int end = text.indexOf('/');
        if (end < 0) {
            throw new IllegalArgumentException("a trade is a provider, a slash and a number");
        }
        return new Trade(text.substring(0, end), text.substring(end + 1));
    }

    /** Returns the provider, a slash and the number. */
    @Override
    public String toString() {
        return provider + "/" + tradeNo;
    }
}
