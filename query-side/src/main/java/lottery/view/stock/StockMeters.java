package lottery.view.stock;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/** Measures how many units are left in running activities. The number of measured stocks is limited. */
@Component
class StockMeters implements MeterBinder, DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(StockMeters.class);

    /** The most stocks that are measured, because each stock is a separate time series. */
    private static final int STOCKS_MAX = 500;

    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(5);

    private final StockUsageReader stocks;
    private final ScheduledExecutorService looks = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("stock-meters").daemon().factory());

    StockMeters(StockUsageReader stocks) {
        this.stocks = stocks;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        MultiGauge left = MultiGauge.builder("lottery.stock.left")
                .description("Units that are left of an award or a SKU of a running activity")
                .register(registry);
        var _ = looks.scheduleWithFixedDelay(() -> look(left), 0, BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void look(MultiGauge left) {
        try {
            List<Row<?>> rows = stocks.running(STOCKS_MAX).stream()
                    .<Row<?>>map(stock -> Row.of(tags(stock), stock.left()))
                    .toList();
            left.register(rows, true);
        } catch (RuntimeException away) {
            LOG.debug("The stock that is left could not be read. Its metrics keep their previous values.", away);
        }
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
    public void destroy() {
        looks.shutdownNow();
    }
}
