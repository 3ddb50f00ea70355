package lottery.api.payment;

/**
 * One transfer of money by a provider.
 *
 * @param provider the name of the provider
 * @param tradeNo the provider's own number of the transfer
 */
public record Trade(String provider, String tradeNo) {

    @Override
    public String toString() {
        return provider + "/" + tradeNo;
    }
}
