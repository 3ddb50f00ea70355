package lottery.view.payment;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import lottery.api.payment.TradeState;

/**
 * Encodes the states of the trades of a payment as text: one line for each trade, with the state at its end. The index
 * for the figure of payers, and its query, look for the state DELIVERED in it.
 */
final class TradeStatesCodec {

    private static final String BETWEEN = "\n";
    private static final char BEFORE_STATE = ' ';

    private TradeStatesCodec() {}

    static Map<String, TradeState> decode(String text) {
        Map<String, TradeState> states = new LinkedHashMap<>();
        Stream.of(text.split(BETWEEN, -1)).filter(line -> !line.isEmpty()).forEach(line -> {
            int end = line.lastIndexOf(BEFORE_STATE);
            states.put(line.substring(0, end), TradeState.valueOf(line.substring(end + 1)));
        });
        return states;
    }

    static String encode(Map<String, TradeState> states) {
        return states.entrySet().stream()
                .map(trade -> trade.getKey() + BEFORE_STATE + trade.getValue())
                .collect(Collectors.joining(BETWEEN));
    }
}
