package lottery.payment;

/**
 * Thrown if a provider of payments does not answer, or answers with a failure of its own. The call is repeated later.
 */
public class PaymentProviderUnavailableException extends RuntimeException {

    public PaymentProviderUnavailableException(String provider, Throwable cause) {
        super("the payment provider %s gives no answer (%s)".formatted(provider, cause.getMessage()), cause);
    }
}
