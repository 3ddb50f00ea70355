package lottery.fulfilment;

import java.util.List;
import java.util.Set;
import lottery.api.award.AwardCommand.GrantAward;
import lottery.api.award.AwardRecordId;
import lottery.api.strategy.AwardType;
import lottery.messaging.invoice.AwardFulfiller;
import lottery.messaging.invoice.AwardResultCommandSender;
import lottery.messaging.invoice.Invoice;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.stereotype.Component;

/** Hands over ENTITLEMENT awards. The award record grants the award and its content in one commit. */
@Component
@ConditionalOnBooleanProperty(
        name = {"lottery.fulfilment.enabled", "lottery.fulfilment.entitlement.enabled"},
        matchIfMissing = true)
final class EntitlementFulfiller implements AwardFulfiller {

    private final AwardResultCommandSender resultSender;

    EntitlementFulfiller(AwardResultCommandSender resultSender) {
        this.resultSender = resultSender;
    }

    @Override
    public AwardType type() {
        return AwardType.ENTITLEMENT;
    }

    @Override
    public boolean takes(Invoice invoice) {
        return true;
    }

    @Override
    public Set<AwardRecordId> handOver(List<Invoice> invoices) {
        return resultSender.report(invoices.stream()
                .map(invoice -> invoice.commandMessage(new GrantAward(
                        invoice.awardRecordId(),
                        "entitlement:" + invoice.awardRecordId().key())))
                .toList());
    }
}
