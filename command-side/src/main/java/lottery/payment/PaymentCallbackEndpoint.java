package lottery.payment;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Optional;
import lottery.EndpointCommandSender;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.payment.PaymentProvider.MoneyReceipt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/**
 * Takes the messages of payment providers over REST. They have no login: a message counts if the provider has signed
 * it. It is acknowledged when its money is noted in the log, so the provider repeats what a crash has lost.
 */
@RestController
@Tag(name = "Payment")
class PaymentCallbackEndpoint {

    private static final Logger LOG = LoggerFactory.getLogger(PaymentCallbackEndpoint.class);

    private final PaymentProviders providers;
    private final EndpointCommandSender commands;

    PaymentCallbackEndpoint(PaymentProviders providers, EndpointCommandSender commands) {
        this.providers = providers;
        this.commands = commands;
    }

    @Operation(summary = "Take the message of a payment provider", description = """
                    Takes in what a provider says about a payment, in the provider's own format, once for each transfer
                    of money. A message without the provider's signature, or for another shop, is refused with
                    FORBIDDEN.""")
    @io.swagger.v3.oas.annotations.parameters.RequestBody(content = @Content(schema = @Schema(type = "object")))
    @PostMapping(
            path = "/api/v1/payment-callbacks/{provider}",
            consumes = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_FORM_URLENCODED_VALUE},
            produces = MediaType.TEXT_PLAIN_VALUE)
    String takePaymentCallback(
            @PathVariable String provider, @RequestHeader HttpHeaders headers, @RequestBody byte[] body) {
        PaymentProvider sender =
                providers.find(provider).orElseThrow(() -> new RefusedException(Refusal.NOT_FOUND, provider));
        Optional<MoneyReceipt> receipt = read(sender, headers, body);
        if (receipt.isPresent() && commands.send(receipt.get().toCommand()) instanceof Answer.No<?> no) {
            LOG.error("{} has taken money that is not noted: {}: {}.", provider, receipt.get(), no.refused());
            throw new RefusedException(no.refused());
        }
        return sender.acknowledgement();
    }

    private static Optional<MoneyReceipt> read(PaymentProvider sender, HttpHeaders headers, byte[] body) {
        try {
            return sender.read(headers, body);
        } catch (ForgedCallbackException forged) {
            LOG.warn("A message to {} is refused: {}.", sender.name(), forged.getMessage());
            throw new RefusedException(Refusal.FORBIDDEN, sender.name());
        }
    }
}
