package lottery.payment;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/** The providers of payments that this process is configured for, by their names. */
@Component
class PaymentProviders {

    private final Map<String, PaymentProvider> byName;

    PaymentProviders(ObjectProvider<PaymentProvider> providers) {
        this.byName = providers.stream().collect(Collectors.toMap(PaymentProvider::name, Function.identity()));
    }

    List<String> names() {
        return byName.keySet().stream().sorted().toList();
    }

    Optional<PaymentProvider> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }
}
