package lottery.alipay;

import java.net.URI;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The account of the shop at Alipay.
 *
 * @param gateway the address of Alipay
 * @param appId the number of the application of the shop
 * @param sellerId the number of the shop, to which the money goes
 * @param privateKey the private key of the application, in PKCS #8 and Base64
 * @param publicKey the public key of Alipay, in Base64
 * @param notifyUrl the address to which Alipay sends its messages
 * @param productCode the product that the shop has a contract for
 */
@ConfigurationProperties("lottery.payments.alipay")
record AlipaySettings(
        URI gateway,
        String appId,
        String sellerId,
        String privateKey,
        String publicKey,
        URI notifyUrl,
        String productCode) {
    /** Leaves the keys out. */
    @Override
    public String toString() {
        return "%s at %s".formatted(appId, gateway);
    }
}
