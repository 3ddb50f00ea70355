package lottery.proof;

import java.util.List;
import java.util.stream.Collectors;
import lottery.api.raffle.RaffleOrderId;

/** A draw and its differences. */
public record DifferingDraw(RaffleOrderId orderId, List<Difference> differences) {

    public DifferingDraw {
        differences = List.copyOf(differences);
    }

    /** Describes the draw in one line. */
    public String inWords() {
        return orderId + ": " + differences.stream().map(Difference::toString).collect(Collectors.joining("; "));
    }
}
