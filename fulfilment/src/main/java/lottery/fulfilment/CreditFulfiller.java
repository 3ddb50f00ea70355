package lottery.fulfilment;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import lottery.api.award.AwardCommand.GrantCredits;
import lottery.api.award.AwardRecordId;
import lottery.api.credit.CreditAmount;
import lottery.api.strategy.AwardType;
import lottery.messaging.invoice.AwardFulfiller;
import lottery.messaging.invoice.AwardResultCommandSender;
import lottery.messaging.invoice.Invoice;
import org.axonframework.commandhandling.CommandMessage;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.stereotype.Component;

/** Hands over CREDIT awards. The award record grants the award and books the winner's credits in one commit. */
@Component
@ConditionalOnBooleanProperty(
        name = {"lottery.fulfilment.enabled", "lottery.fulfilment.credit.enabled"},
        matchIfMissing = true)
final class CreditFulfiller implements AwardFulfiller {

    private final AwardResultCommandSender resultSender;

    CreditFulfiller(AwardResultCommandSender resultSender) {
        this.resultSender = resultSender;
    }

    @Override
    public AwardType type() {
        return AwardType.CREDIT;
    }

    /** Takes invoices that have a number of credits. For other invoices, another system may know the number. */
    @Override
    public boolean takes(Invoice invoice) {
        return creditsOf(invoice).isPresent();
    }

    @Override
    public Set<AwardRecordId> handOver(List<Invoice> invoices) {
        return resultSender.report(
                invoices.stream().flatMap(invoice -> grantOf(invoice).stream()).toList());
    }

    private static Optional<CommandMessage<GrantCredits>> grantOf(Invoice invoice) {
        return creditsOf(invoice)
                .map(credits -> invoice.commandMessage(new GrantCredits(invoice.awardRecordId(), credits)));
    }

    private static Optional<BigDecimal> creditsOf(Invoice invoice) {
        return CreditAmount.ofAward(invoice.amount(), invoice.content());
    }
}
