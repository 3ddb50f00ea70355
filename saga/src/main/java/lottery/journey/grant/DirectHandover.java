package lottery.journey.grant;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Gatherers;
import lottery.api.award.AwardRecordId;
import lottery.api.strategy.AwardType;
import lottery.store.processing.KnownOutages;
import lottery.store.saga.BatchSagas;
import lottery.store.trace.TraceId;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/**
 * Hands awards over for their journeys without a way over the broker: those of a batch of events together, when all of
 * its events are handled. The batch waits for that, and the journeys of those that are granted then end with it, before
 * they were ever stored. After a crash the batch comes again, and finds what was handed over.
 *
 * <p>If something is away, the batch fails, and comes again. If an award itself is at fault, or if there is no more
 * time, its journey goes on: it asks again, and leaves the award to a person in the end.
 */
@Component
final class DirectHandover implements DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(DirectHandover.class);

    private static final String INVOICES = DirectHandover.class.getName();

    /** Less than what a processor's claim on its token lasts. What takes longer is left to the journeys. */
    private static final Duration BATCH_MAX = Duration.ofSeconds(8);

    /** One commit for so many: each holds what it is about until all are stored. */
    private static final int TOGETHER_MAX = 32;

    /** What takes longest is to wait for the commit, which serves many. Each may need a connection to the database. */
    private static final int AT_ONCE_MAX = 8;

    /** Then two that are under way have one user in common at most, and neither waits for the other in a circle. */
    private static final Comparator<Invoice> BY_USER =
            Comparator.comparing(invoice -> invoice.userId().value());

    private final Set<AwardType> types;
    private final Fulfillers fulfillers;
    private final BatchSagas journeys;
    private final Predicate<Throwable> isOutage;

    /** Not the batch's own thread, whose transaction is not that of what is handed over. */
    private final ExecutorService threads = Executors.newFixedThreadPool(
            AT_ONCE_MAX, Thread.ofVirtual().name("handover-", 0).factory());

    @Autowired
    DirectHandover(
            @Value("${lottery.fulfilment.direct:}") Set<AwardType> types,
            Fulfillers fulfillers,
            BatchSagas journeys,
            KnownOutages outages) {
        this(types, fulfillers, journeys, outages::isOutage);
    }

    DirectHandover(Set<AwardType> types, Fulfillers fulfillers, BatchSagas journeys, Predicate<Throwable> isOutage) {
        this.types = Set.copyOf(types);
        this.fulfillers = fulfillers;
        this.journeys = journeys;
        this.isOutage = isOutage;
    }

    boolean isFor(Invoice invoice) {
        return types.contains(invoice.type())
                && fulfillers
                        .of(invoice.type())
                        .filter(fulfiller -> fulfiller.takes(invoice))
                        .isPresent();
    }

    /** With the commit of the current unit of work, and before its transaction. */
    void handOver(Invoice invoice) {
        UnitOfWork<?> batch = CurrentUnitOfWork.get().root();
        batch.getOrComputeResource(INVOICES, key -> {
                    Map<AwardRecordId, Invoice> invoices = new LinkedHashMap<>();
                    // Commits are done from the last to the first: this one before the journeys are written, and before
                    // the transaction around all of them.
                    batch.onPrepareCommit(_ -> batch.onCommit(_ -> handOver(invoices)));
                    return invoices;
                })
                .put(invoice.awardRecordId(), invoice);
    }

    /** For a person who waits for it. */
    void handOverNow(Invoice invoice) {
        fulfillers.of(invoice.type()).orElseThrow().handOver(List.of(invoice));
    }

    private void handOver(Map<AwardRecordId, Invoice> invoices) {
        List<Future<Set<AwardRecordId>>> begun = new ArrayList<>();
        fulfillers
                .assign(invoices.values())
                .forEach((fulfiller, its) -> its.stream()
                        .sorted(BY_USER)
                        .gather(Gatherers.windowFixed(TOGETHER_MAX))
                        .forEach(together -> begun.add(threads.submit(() -> handOver(fulfiller, together)))));
        granted(begun).forEach(id -> journeys.end(GrantSaga.class, id.text()));
    }

    private static Set<AwardRecordId> granted(List<Future<Set<AwardRecordId>>> begun) {
        long endNanos = System.nanoTime() + BATCH_MAX.toNanos();
        Set<AwardRecordId> granted = new HashSet<>();
        try {
            for (Future<Set<AwardRecordId>> each : begun) {
                granted.addAll(each.get(Math.max(0, endNanos - System.nanoTime()), TimeUnit.NANOSECONDS));
            }
        } catch (TimeoutException e) {
            LOG.warn("Some awards are not handed over for now: it takes too long");
        } catch (ExecutionException e) {
            throw new NotHandedOver("what is needed to hand awards over is away", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NotHandedOver("interrupted while awards were handed over", e);
        } finally {
            // What is under way goes on, and is heard of as an event.
            begun.forEach(each -> each.cancel(false));
        }
        return granted;
    }

    /** All together; if that fails, in halves, until those are found that are at fault. */
    private Set<AwardRecordId> handOver(Fulfiller fulfiller, List<Invoice> invoices) {
        try (var _ = TraceId.open(invoices.size() == 1 ? invoices.getFirst().trace() : null)) {
            return fulfiller.handOver(invoices);
        } catch (RuntimeException e) {
            if (isOutage.test(e) || Thread.currentThread().isInterrupted()) {
                throw e;
            }
            if (invoices.size() == 1) {
                LOG.warn(
                        "{} is not handed over for now: {}",
                        invoices.getFirst().awardRecordId().text(),
                        e.toString());
                return Set.of();
            }
        }
        int half = invoices.size() / 2;
        Set<AwardRecordId> granted = new HashSet<>(handOver(fulfiller, invoices.subList(0, half)));
        granted.addAll(handOver(fulfiller, invoices.subList(half, invoices.size())));
        return granted;
    }

    @Override
    public void destroy() {
        threads.shutdownNow();
    }

    /** Fails the batch, so that it comes again. */
    private static final class NotHandedOver extends RuntimeException {

        NotHandedOver(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
