package lottery.view.stock;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import lottery.store.loop.BackgroundLoop;
import org.springframework.stereotype.Component;

/** Measures how many units are left in running activities. The number of measured stocks is limited. */
@Component
class StockMeters implements MeterBinder, AutoCloseable {

    /** The most stocks that are measured, because each stock is a separate time series. */
    private static final int STOCKS_MAX = 500;

    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(5);

    private final StockUsageReader stocks;

    /** The gauges, one for each registry. */
    private final List<MultiGauge> gauges = new CopyOnWriteArrayList<>();

    private final BackgroundLoop looks = new BackgroundLoop(
            "stock-meters",
            BETWEEN_LOOKS,
            this::look,
            "The stock that is left could not be read: {}. Its metrics keep their previous values.");

    StockMeters(StockUsageReader stocks) {
        this.stocks = stocks;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        gauges.add(MultiGauge.builder("lottery.stock.left")
                .description("Units that are left of an award or a SKU of a running activity")
                .register(registry));
        looks.start();
        looks.wake();
    }

    private void look() {
        List<Row<?>> rows = stocks.running(STOCKS_MAX).stream()
                .<Row<?>>map(stock -> Row.of(tags(stock), stock.left()))
                .toList();
        gauges.forEach(left -> left.register(rows, true));
    }

    private static Tags tags(StockUsage stock) {
        return Tags.of(
                "activity",
                Long.toString(stock.activityId()),
                "kind",
                stock.kind().name(),
                "number",
                Long.toString(stock.number()));
    }

    @Override
    public void close() {
        looks.close();
    }
}
