package lottery.journey.grant;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Gatherers;
import lottery.api.award.AwardRecordId;
import lottery.api.strategy.AwardType;
import lottery.messaging.invoice.AwardFulfiller;
import lottery.messaging.invoice.AwardFulfillers;
import lottery.messaging.invoice.Invoice;
import lottery.store.processing.KnownOutages;
import lottery.store.saga.BatchSagaEnder;
import lottery.store.trace.TraceId;
import org.axonframework.messaging.unitofwork.BatchingUnitOfWork;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/**
 * Hands awards over for their journeys without a way over the broker: those of a batch of events together, with the
 * commit of the batch, which waits for them. The journeys of those that are granted then end with their batch, as a
 * rule before they were ever stored. After a crash the batch comes again, and finds what was handed over.
 *
 * <p>If something is away, the batch fails, and comes again. If an award itself is at fault, or takes too long, its
 * journey goes on: it asks again, and leaves the award to a person in the end. A sweep of due journeys is committed
 * before it hands anything over, so that its journeys go on even if something is away.
 */
@Component
final class DirectHandover implements DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(DirectHandover.class);

    private static final String ASKED = DirectHandover.class.getName();

    /** Less than what a processor's claim on its token lasts. Awards that take longer are left to their journeys. */
    private static final Duration WAIT_MAX = Duration.ofSeconds(8);

    /** This many awards share one commit. Each holds its aggregates until all are stored. */
    private static final int TOGETHER_MAX = 32;

    /** This many commits are under way at once. They mostly wait, and each may need a connection to the database. */
    private static final int AT_ONCE_MAX = 8;

    private final Set<AwardType> types;
    private final AwardFulfillers fulfillers;
    private final BatchSagaEnder journeys;
    private final Predicate<Throwable> isOutage;
    private final Duration waitMax;

    /** Not the batch's own thread, whose transaction is not that of what is handed over. */
    private final ExecutorService threads = Executors.newFixedThreadPool(
            AT_ONCE_MAX, Thread.ofVirtual().name("handover-", 0).factory());

    @Autowired
    DirectHandover(
            @Value("${lottery.fulfilment.direct:}") Set<AwardType> types,
            AwardFulfillers fulfillers,
            BatchSagaEnder journeys,
            KnownOutages outages) {
        this(types, fulfillers, journeys, outages::isOutage, WAIT_MAX);
    }

    DirectHandover(
            Set<AwardType> types,
            AwardFulfillers fulfillers,
            BatchSagaEnder journeys,
            Predicate<Throwable> isOutage,
            Duration waitMax) {
        this.types = Set.copyOf(types);
        this.fulfillers = fulfillers;
        this.journeys = journeys;
        this.isOutage = isOutage;
        this.waitMax = waitMax;
    }

    boolean isFor(Invoice invoice) {
        return types.contains(invoice.type())
                && fulfillers
                        .of(invoice.type())
                        .filter(fulfiller -> fulfiller.takes(invoice))
                        .isPresent();
    }

    /**
     * Hands an award over when the current batch of events commits, before the batch's transaction does. Outside of a
     * batch that happens after the commit: until then the transaction holds rows that the next events wait for.
     *
     * @param failed is told why, with the unit of work, if the award is at fault
     */
    void handOver(Invoice invoice, Consumer<String> failed) {
        UnitOfWork<?> root = CurrentUnitOfWork.get().root();
        root.getOrComputeResource(ASKED, key -> {
                    Map<AwardRecordId, Asked> asked = new LinkedHashMap<>();
                    if (root instanceof BatchingUnitOfWork) {
                        // Commits are done from the last to the first: this one before the journeys are written.
                        root.onPrepareCommit(_ -> root.onCommit(_ -> handOver(asked)));
                    } else {
                        root.afterCommit(_ -> handOverOrLeave(asked));
                    }
                    return asked;
                })
                .put(invoice.awardRecordId(), new Asked(invoice, failed));
    }

    /** Hands an award over now, for a person who waits, and outside of the person's transaction. */
    void handOverNow(Invoice invoice) throws ExecutionException, TimeoutException, InterruptedException {
        AwardFulfiller fulfiller = fulfillers.of(invoice.type()).orElseThrow();
        Future<?> begun = threads.submit(() -> fulfiller.handOver(List.of(invoice)));
        try {
            begun.get(waitMax.toMillis(), TimeUnit.MILLISECONDS);
        } finally {
            begun.cancel(false);
        }
    }

    /** What a unit of work throws after its commit, nobody hears. */
    private void handOverOrLeave(Map<AwardRecordId, Asked> asked) {
        try {
            handOver(asked);
        } catch (NotHandedOver e) {
            LOG.warn("{} awards are left to their journeys: {}", asked.size(), e.toString());
        }
    }

    private void handOver(Map<AwardRecordId, Asked> asked) {
        long endNanos = System.nanoTime() + waitMax.toNanos();
        List<Future<Handed>> begun = new ArrayList<>();
        fulfillers
                .assign(asked.values().stream().map(Asked::invoice).toList())
                .forEach((fulfiller, invoices) -> invoices.stream()
                        .gather(Gatherers.windowFixed(TOGETHER_MAX))
                        .forEach(together -> begun.add(threads.submit(() -> handOver(fulfiller, together, endNanos)))));
        Handed handed = await(begun, endNanos);
        handed.granted().forEach(id -> journeys.end(GrantSaga.class, id.text()));
        handed.failed().forEach((id, why) -> {
            Asked at = Objects.requireNonNull(asked.get(id));
            try (var _ = TraceId.open(at.invoice().trace())) {
                at.failed().accept(why);
            }
        });
    }

    /** What is under way when the time is over goes on. Its journey hears of it as an event. */
    private Handed await(List<Future<Handed>> begun, long endNanos) {
        List<Handed> done = new ArrayList<>();
        try {
            for (Future<Handed> each : begun) {
                done.add(each.get(Math.max(0, endNanos - System.nanoTime()), TimeUnit.NANOSECONDS));
            }
        } catch (TimeoutException e) {
            LOG.warn("Some awards are left to their journeys: it takes too long to hand them over");
            begun.stream()
                    .skip(done.size())
                    .filter(each -> each.state() == Future.State.SUCCESS)
                    .forEach(each -> done.add(each.resultNow()));
        } catch (ExecutionException e) {
            throw new NotHandedOver("what is needed to hand awards over is away", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NotHandedOver("interrupted while awards were handed over", e);
        } finally {
            begun.forEach(each -> each.cancel(false));
        }
        return Handed.all(done);
    }

    /**
     * Hands all of them over together. If that fails it divides them, until those are found that are at fault, or
     * nobody waits for them any more.
     */
    private Handed handOver(AwardFulfiller fulfiller, List<Invoice> invoices, long endNanos) {
        boolean isOne = invoices.size() == 1;
        try (var _ = TraceId.open(isOne ? invoices.getFirst().trace() : null)) {
            return new Handed(fulfiller.handOver(invoices), Map.of());
        } catch (RuntimeException e) {
            boolean isOver = Thread.currentThread().isInterrupted() || System.nanoTime() > endNanos;
            if (isOver || (isOne && isOutage.test(e))) {
                throw e;
            }
            if (isOne) {
                AwardRecordId id = invoices.getFirst().awardRecordId();
                LOG.warn("{} is not handed over for now: {}", id.text(), e.toString());
                return new Handed(Set.of(), Map.of(id, e.toString()));
            }
            LOG.debug("{} awards are handed over in halves", invoices.size(), e);
        }
        int half = invoices.size() / 2;
        return Handed.all(List.of(
                handOver(fulfiller, invoices.subList(0, half), endNanos),
                handOver(fulfiller, invoices.subList(half, invoices.size()), endNanos)));
    }

    private record Asked(Invoice invoice, Consumer<String> failed) {}

    /**
     * The result of some awards.
     *
     * @param failed why they could not be handed over
     */
    private record Handed(Set<AwardRecordId> granted, Map<AwardRecordId, String> failed) {

        static Handed all(List<Handed> some) {
            Set<AwardRecordId> granted = new HashSet<>();
            Map<AwardRecordId, String> failed = new HashMap<>();
            some.forEach(each -> {
                granted.addAll(each.granted);
                failed.putAll(each.failed);
            });
            return new Handed(granted, failed);
        }
    }

    @Override
    public void destroy() {
        threads.shutdownNow();
    }
}
