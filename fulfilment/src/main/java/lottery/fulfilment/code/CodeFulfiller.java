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
import lottery.messaging.invoice.AwardHistory;
import lottery.messaging.invoice.AwardResultSender;
import lottery.messaging.invoice.Invoice;
import org.axonframework.commandhandling.CommandMessage;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.stereotype.Component;

/**
 * Gives winners of CODE awards their codes. What was decided about an award record stays, whoever asks again: not even
 * a refusal changes when the pool is filled up later, because the award was made good for by then.
 */
@Component
@ConditionalOnBooleanProperty(
        name = {"lottery.fulfilment.enabled", "lottery.fulfilment.code.enabled"},
        matchIfMissing = true)
final class CodeFulfiller implements AwardFulfiller {

    private final CodePoolTable pools;
    private final CodeMeters meters;
    private final AwardHistory history;
    private final AwardResultSender answers;
    private final InstantSource clock;

    CodeFulfiller(
            CodePoolTable pools,
            CodeMeters meters,
            AwardHistory history,
            AwardResultSender answers,
            InstantSource clock) {
        this.pools = pools;
        this.meters = meters;
        this.history = history;
        this.answers = answers;
        this.clock = clock;
    }

    @Override
    public AwardType type() {
        return AwardType.CODE;
    }

    /** Where nobody has ever uploaded codes, somebody else may have them. */
    @Override
    public boolean takes(Invoice invoice) {
        return pools.exists(CodePoolId.of(invoice));
    }

    /** One look and one decision serve all of them. If the decision fails, nothing is decided. */
    @Override
    public Set<AwardRecordId> handOver(List<Invoice> invoices) {
        Map<AwardRecordId, CodeDecision> gifts =
                pools.answered(invoices.stream().map(Invoice::awardRecordId).toList());
        gifts.putAll(give(invoices.stream()
                .filter(invoice -> !gifts.containsKey(invoice.awardRecordId()))
                .filter(invoice -> history.isAwaited(invoice.awardRecordId()))
                .toList()));
        return answers.tell(invoices.stream()
                .flatMap(invoice -> answer(invoice, gifts.get(invoice.awardRecordId())).stream())
                .toList());
    }

    private Map<AwardRecordId, CodeDecision> give(List<Invoice> invoices) {
        Map<AwardRecordId, CodePoolId> asked = invoices.stream().collect(toMap(Invoice::awardRecordId, CodePoolId::of));
        Map<AwardRecordId, CodeDecision> gifts = asked.isEmpty() ? Map.of() : pools.give(asked, clock.instant());
        asked.forEach((record, pool) -> {
            if (gifts.get(record) != CodeDecision.NO_POOL) {
                meters.show(pool);
            }
        });
        return gifts;
    }

    /** The code itself is in no answer: answers are in the log of events. */
    private static Optional<CommandMessage<? extends AwardCommand>> answer(
            Invoice invoice, @Nullable CodeDecision gift) {
        String reference = "code:" + invoice.awardRecordId().key();
        return switch (gift) {
            case GIVEN -> Optional.of(invoice.commandMessage(new GrantAward(invoice.awardRecordId(), reference)));
            case REFUSED ->
                Optional.of(invoice.commandMessage(
                        new RejectGrant(invoice.awardRecordId(), reference, "no code was left")));
            // Asked again, it may have one; else a person is asked.
            case NO_POOL -> Optional.empty();
            // Nobody waits for it any more.
            case null -> Optional.empty();
        };
    }
}
