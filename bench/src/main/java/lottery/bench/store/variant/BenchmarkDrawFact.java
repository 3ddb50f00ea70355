package lottery.bench.store.variant;

import java.util.Map;
import lottery.store.EventTypes;

/** Events that are about as large as the events of a draw, with some 200 bytes of JSON each. */
public sealed interface BenchmarkDrawFact {

    String NOTE = "b7e151628aed2a6abf7158809cf4f3c762e7160f38b4da56a784d9045190cfef324e7738";

    EventTypes TYPES = EventTypes.of(
            Map.of(
                    "bench.opened", Opened.class,
                    "bench.spent", Spent.class,
                    "bench.ordered", Ordered.class,
                    "bench.drawn", Drawn.class,
                    "bench.won", Won.class,
                    "bench.pinged", Pinged.class),
            type -> 1);

    record Opened(String account, int chances) implements BenchmarkDrawFact {}

    record Spent(String account, String order, int spent, String note) implements BenchmarkDrawFact {}

    record Ordered(String order, String account, String note) implements BenchmarkDrawFact {}

    record Drawn(String order, String award, int rank, String note) implements BenchmarkDrawFact {}

    record Won(String award, String order, String note) implements BenchmarkDrawFact {}

    /** The event for which readers wait when visibility is measured. */
    record Pinged(String account, int number) implements BenchmarkDrawFact {}
}
