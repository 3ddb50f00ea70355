package lottery.payment;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import lottery.api.Money;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** The providers of payments that this process is configured for, by their names. */
@Component
class PaymentProviders {

    private final Map<String, PaymentProvider> byName;

    /** @param chosen the names in the settings; the start fails if nobody knows one of them */
    PaymentProviders(
            ObjectProvider<PaymentProvider> providers, @Value("${lottery.payments.providers:}") List<String> chosen) {
        this.byName = providers.stream().collect(Collectors.toMap(PaymentProvider::name, Function.identity()));
        if (!byName.keySet().equals(Set.copyOf(chosen))) {
            throw new IllegalStateException(
                    "LOTTERY_PAYMENTS_PROVIDERS names %s, and there are %s".formatted(chosen, byName.keySet()));
        }
    }

    boolean takes(String name, Money price) {
        return find(name).filter(provider -> provider.takes(price)).isPresent();
    }

    List<String> names() {
        return byName.keySet().stream().sorted().toList();
    }

    Optional<PaymentProvider> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }
}
