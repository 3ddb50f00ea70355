package lottery.journey.grant;

import java.time.Duration;
import java.util.ArrayList;
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
 * <p>If something is away, the batch fails, and comes again. If an award itself is at fault, its journey goes on: it
 * asks again, and leaves the award to a person in the end.
 */
@Component
final class DirectHandover implements DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(DirectHandover.class);

    private static final String INVOICES = DirectHandover.class.getName();

    /** Less than what a processor's claim on its token lasts. */
    private static final Duration BATCH_MAX = Duration.ofSeconds(8);

    private final Set<AwardType> types;
    private final Fulfillers fulfillers;
    private final BatchSagas journeys;
    private final Predicate<Throwable> isOutage;

    /** Not on the batch's own thread, whose transaction is not that of what is handed over. */
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("handover-", 0).factory());

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
                .forEach((fulfiller, its) -> begun.add(threads.submit(() -> handOver(fulfiller, its))));
        granted(begun).forEach(id -> journeys.end(GrantSaga.class, id.text()));
    }

    private static Set<AwardRecordId> granted(List<Future<Set<AwardRecordId>>> begun) {
        long endNanos = System.nanoTime() + BATCH_MAX.toNanos();
        Set<AwardRecordId> granted = new HashSet<>();
        try {
            for (Future<Set<AwardRecordId>> each : begun) {
                granted.addAll(each.get(endNanos - System.nanoTime(), TimeUnit.NANOSECONDS));
            }
            return granted;
        } catch (ExecutionException e) {
            throw new NotHandedOver("what is needed to hand awards over is away", e);
        } catch (TimeoutException e) {
            throw new NotHandedOver("awards are not handed over in time", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NotHandedOver("interrupted while awards were handed over", e);
        } finally {
            begun.forEach(each -> each.cancel(true));
        }
    }

    private Set<AwardRecordId> handOver(Fulfiller fulfiller, List<Invoice> invoices) {
        if (invoices.size() > 1) {
            try {
                return fulfiller.handOver(invoices);
            } catch (RuntimeException e) {
                LOG.debug("{} awards are handed over one by one: {}", invoices.size(), e.toString());
            }
        }
        Set<AwardRecordId> granted = new HashSet<>();
        for (Invoice invoice : invoices) {
            granted.addAll(handOverAlone(fulfiller, invoice));
        }
        return granted;
    }

    private Set<AwardRecordId> handOverAlone(Fulfiller fulfiller, Invoice invoice) {
        try (var _ = TraceId.open(invoice.trace())) {
            return fulfiller.handOver(List.of(invoice));
        } catch (RuntimeException e) {
            if (isOutage.test(e) || Thread.currentThread().isInterrupted()) {
                throw e;
            }
            LOG.warn(
                    "{} is not handed over for now: {}", invoice.awardRecordId().text(), e.toString());
            return Set.of();
        }
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
