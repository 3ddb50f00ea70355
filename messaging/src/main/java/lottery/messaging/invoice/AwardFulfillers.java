package lottery.messaging.invoice;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import lottery.api.strategy.AwardType;
import org.springframework.stereotype.Component;

/** All fulfillers of this process. Awards that none of them handles are handed over by other systems. */
@Component
public final class AwardFulfillers {

    private static final Comparator<Invoice> ORDER = Comparator.<Invoice, String>comparing(
                    invoice -> invoice.userId().value())
            .thenComparing(invoice -> invoice.awardRecordId().text());

    private final Map<AwardType, AwardFulfiller> byType;

    public AwardFulfillers(List<AwardFulfiller> all) {
        byType = all.stream().collect(toMap(AwardFulfiller::type, identity()));
    }

    public Optional<AwardFulfiller> of(AwardType type) {
        return Optional.ofNullable(byType.get(type));
    }

    /**
     * Assigns each invoice to the fulfiller for its type, and omits invoices without a fulfiller. Invoices have the
     * same order for all callers, so that two callers seldom deadlock. In a deadlock, a lock timeout of one second ends
     * the call of one caller, and this caller tries again.
     */
    public Map<AwardFulfiller, List<Invoice>> assign(Collection<Invoice> invoices) {
        return invoices.stream()
                .filter(invoice -> byType.containsKey(invoice.type()))
                .sorted(ORDER)
                .collect(groupingBy(invoice -> byType.get(invoice.type())));
    }
}
