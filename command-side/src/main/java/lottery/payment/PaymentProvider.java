package lottery.payment;

import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import lottery.api.Money;
import lottery.api.payment.PaymentCommand.NoteMoneyTaken;
import lottery.api.payment.PaymentId;
import lottery.api.payment.Trade;
import org.springframework.http.HttpHeaders;

/**
 * A provider of payments, which takes money from users and gives it back. Each call ends within seconds, and may be
 * repeated. A call throws {@link PaymentProviderUnavailableException} if the provider does not answer.
 */
public interface PaymentProvider {

    /**
     * The money that a provider is asked to take.
     *
     * @param title what is sold, for the user to read
     * @param expiresAt the time after which no money may be taken
     * @param lottery the address of the lottery, as its caller knows it
     */
    record PaymentDemand(PaymentId paymentId, Money price, String title, Instant expiresAt, URI lottery) {}

    /** Money that the provider has taken for a payment. */
    record MoneyReceipt(PaymentId paymentId, Trade trade, Money money, Instant takenAt) {

        NoteMoneyTaken toCommand() {
            return new NoteMoneyTaken(paymentId, trade, money, takenAt);
        }
    }

    /** Returns the name of the provider in requests and events. */
    String name();

    /** Returns whether the provider takes money of this currency. */
    boolean takes(Money price);

    /** Lets users pay, and returns the text of the QR code that leads to the payment. */
    String open(PaymentDemand demand);

    /** Returns all money that was taken for a payment, even if it was given back. */
    List<MoneyReceipt> receipts(PaymentId paymentId);

    /**
     * Stops users from paying. Money that was taken before stays taken.
     *
     * @return whether nobody can pay any more; if not, nobody can soon after the end of the payment
     */
    boolean close(PaymentId paymentId);

    /**
     * Gives all money of a trade back. The same number gives it back once.
     *
     * @return why the provider refuses; empty if the money is given back
     */
    Optional<String> refund(PaymentId paymentId, Trade trade, Money money, String refundNo);

    /**
     * Reads a message of the provider.
     *
     * @return the money that was taken; empty if the message tells of none
     * @throws ForgedCallbackException if the provider has not signed the message, or has sent it for another shop
     */
    Optional<MoneyReceipt> read(HttpHeaders headers, byte[] body);

    /** Returns the text that tells the provider that its message has arrived. */
    String acknowledgement();
}
