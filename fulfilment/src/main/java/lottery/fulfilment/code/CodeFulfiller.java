package lottery.fulfilment.code;

import static java.util.stream.Collectors.toMap;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import lottery.api.award.AwardCommand;
import lottery.api.award.AwardCommand.GrantAward;
import lottery.api.award.AwardCommand.RejectGrant;
import lottery.api.award.AwardRecordId;
import lottery.api.strategy.AwardType;
import lottery.messaging.invoice.AwardFulfiller;
import lottery.messaging.invoice.AwardProgressLogReader;
import lottery.messaging.invoice.AwardResultCommandSender;
import lottery.messaging.invoice.Invoice;
import org.axonframework.commandhandling.CommandMessage;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.stereotype.Component;

/**
 * Gives the winners of CODE awards their codes. The decision about an award record is final. A refusal stays even if
 * the pool is filled later, because the award was compensated by then.
 */
@Component
@ConditionalOnBooleanProperty(
        name = {"lottery.fulfilment.enabled", "lottery.fulfilment.code.enabled"},
        matchIfMissing = true)
final class CodeFulfiller implements AwardFulfiller {

    private final CodePoolTable pools;
    private final CodeMeters meters;
    private final AwardProgressLogReader history;
    private final AwardResultCommandSender resultSender;
    private final InstantSource clock;

    CodeFulfiller(
            CodePoolTable pools,
            CodeMeters meters,
            AwardProgressLogReader history,
            AwardResultCommandSender resultSender,
            InstantSource clock) {
        this.pools = pools;
        this.meters = meters;
        this.history = history;
        this.resultSender = resultSender;
        this.clock = clock;
    }

    @Override
    public AwardType type() {
        return AwardType.CODE;
    }

    /** Takes an invoice only if codes were ever uploaded for its award. Otherwise another system may have the codes. */
    @Override
    public boolean takes(Invoice invoice) {
        return pools.exists(CodePoolId.of(invoice));
    }

    /**
     * Decides about all invoices with one look-up and one transaction. If the transaction fails, nothing is decided.
     */
    @Override
    public Set<AwardRecordId> handOver(List<Invoice> invoices) {
        Map<AwardRecordId, CodeAwardOutcome> gifts =
                pools.answered(invoices.stream().map(Invoice::awardRecordId).toList());
        gifts.putAll(give(invoices.stream()
                .filter(invoice -> !gifts.containsKey(invoice.awardRecordId()))
                .filter(history::isAwaited)
                .toList()));
        return resultSender.report(invoices.stream()
                .flatMap(invoice -> answer(invoice, gifts.get(invoice.awardRecordId())).stream())
                .toList());
    }

    private Map<AwardRecordId, CodeAwardOutcome> give(List<Invoice> invoices) {
        Map<AwardRecordId, CodePoolId> asked = invoices.stream().collect(toMap(Invoice::awardRecordId, CodePoolId::of));
        Map<AwardRecordId, CodeAwardOutcome> gifts = asked.isEmpty() ? Map.of() : pools.give(asked, clock.instant());
        asked.forEach((record, pool) -> {
            if (gifts.get(record) != CodeAwardOutcome.NO_POOL) {
                meters.show(pool);
            }
        });
        return gifts;
    }

    /** Builds the answer. It never contains the code, because answers are in the event log. */
    private static Optional<CommandMessage<? extends AwardCommand>> answer(
            Invoice invoice, @Nullable CodeAwardOutcome gift) {
        String reference = "code:" + invoice.awardRecordId().key();
        return switch (gift) {
            case GIVEN -> Optional.of(invoice.commandMessage(new GrantAward(invoice.awardRecordId(), reference)));
            case REFUSED ->
                Optional.of(invoice.commandMessage(
                        new RejectGrant(invoice.awardRecordId(), reference, "no code was left")));
            // A later invoice may get a code. Otherwise the award goes to the desk.
            case NO_POOL -> Optional.empty();
            // The award no longer waits for an answer.
            case null -> Optional.empty();
        };
    }
}
