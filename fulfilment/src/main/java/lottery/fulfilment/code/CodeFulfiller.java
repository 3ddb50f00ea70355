package lottery.fulfilment.code;

import java.util.List;
import java.util.Set;
import lottery.api.award.AwardCommand.GrantCode;
import lottery.api.award.AwardRecordId;
import lottery.api.award.CodePoolId;
import lottery.api.strategy.AwardType;
import lottery.messaging.invoice.AwardFulfiller;
import lottery.messaging.invoice.AwardResultCommandSender;
import lottery.messaging.invoice.Invoice;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.stereotype.Component;

/** Hands over CODE awards. The award record takes the next code and grants the award in one commit. */
@Component
@ConditionalOnBooleanProperty(
        name = {"lottery.fulfilment.enabled", "lottery.fulfilment.code.enabled"},
        matchIfMissing = true)
final class CodeFulfiller implements AwardFulfiller {

    private final CodePoolTable pools;
    private final AwardResultCommandSender resultSender;

    CodeFulfiller(CodePoolTable pools, AwardResultCommandSender resultSender) {
        this.pools = pools;
        this.resultSender = resultSender;
    }

    @Override
    public AwardType type() {
        return AwardType.CODE;
    }

    /** Takes an invoice only if codes were ever uploaded for its award. Otherwise another system may have the codes. */
    @Override
    public boolean takes(Invoice invoice) {
        return pools.exists(poolOf(invoice));
    }

    private static CodePoolId poolOf(Invoice invoice) {
        return new CodePoolId(invoice.activityId(), invoice.award().awardId());
    }

    @Override
    public Set<AwardRecordId> handOver(List<Invoice> invoices) {
        return resultSender.report(invoices.stream()
                .filter(this::takes)
                .map(invoice -> invoice.commandMessage(new GrantCode(invoice.awardRecordId(), poolOf(invoice))))
                .toList());
    }
}
