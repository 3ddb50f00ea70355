package lottery.saga.grant;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Gatherers;
import lottery.api.UserId;
import lottery.api.award.AwardRecordId;
import lottery.api.strategy.AwardType;
import lottery.messaging.invoice.AwardFulfiller;
import lottery.messaging.invoice.AwardFulfillers;
import lottery.messaging.invoice.Invoice;
import lottery.store.processing.FailureClassifier;
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
 * Hands awards over for their sagas without the broker. All awards of a batch of events are handed over before the
 * batch commits. The sagas of granted awards end with their batch, usually before they were ever stored. After a crash
 * the batch is handled again, and finds the awards that were handed over.
 *
 * <p>In an outage the batch fails and is handled again. If an award itself is at fault, or takes too long, its saga
 * continues. The saga asks again, and finally leaves the award to the desk. A poll of due sagas commits before it hands
 * anything over, so that its sagas continue even in an outage.
 */
@Component
final class DirectHandover implements DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(DirectHandover.class);

    private static final String ASKED = DirectHandover.class.getName();

    /**
     * How long a batch waits for its handovers. This is shorter than a processor's lease on its token. Awards that take
     * longer are left to their sagas.
     */
    private static final Duration WAIT_MAX = Duration.ofSeconds(8);

    /** The number of awards in one commit. Each award keeps its aggregates locked until all are stored. */
    private static final int TOGETHER_MAX = 32;

    /** The number of groups at the same time. They mostly wait, and each may need a database connection. */
    private static final int AT_ONCE_MAX = 8;

    private final Set<AwardType> types;
    private final AwardFulfillers fulfillers;
    private final BatchSagaEnder sagas;
    private final Predicate<Throwable> isOutage;
    private final Duration waitMax;

    /** These threads are separate from the batch, because the handover must not run in the batch's transaction. */
    private final ExecutorService threads = Executors.newFixedThreadPool(
            AT_ONCE_MAX, Thread.ofVirtual().name("handover-", 0).factory());

    @Autowired
    DirectHandover(
            @Value("${lottery.fulfilment.direct:}") Set<AwardType> types,
            AwardFulfillers fulfillers,
            BatchSagaEnder sagas,
            FailureClassifier failureClassifier) {
        this(types, fulfillers, sagas, failureClassifier::isOutage, WAIT_MAX);
    }

    DirectHandover(
            Set<AwardType> types,
            AwardFulfillers fulfillers,
            BatchSagaEnder sagas,
            Predicate<Throwable> isOutage,
            Duration waitMax) {
        this.types = Set.copyOf(types);
        this.fulfillers = fulfillers;
        this.sagas = sagas;
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
     * Hands an award over before the transaction of the current batch of events commits. Without a batch, the award is
     * handed over after the commit, because until the commit the transaction locks rows that the next events wait for.
     *
     * @param failed receives the reason, with the unit of work, if the award is at fault
     */
    void handOver(Invoice invoice, Consumer<String> failed) {
        UnitOfWork<?> root = CurrentUnitOfWork.get().root();
        root.getOrComputeResource(ASKED, key -> {
                    Map<AwardRecordId, RequestedHandover> requested = new LinkedHashMap<>();
                    if (root instanceof BatchingUnitOfWork) {
                        // Commit handlers run from the last to the first, so this handler runs before the sagas are
                        // stored.
                        root.onPrepareCommit(_ -> root.onCommit(_ -> handOver(requested)));
                    } else {
                        root.afterCommit(_ -> handOverOrLeave(requested));
                    }
                    return requested;
                })
                .put(invoice.awardRecordId(), new RequestedHandover(invoice, failed));
    }

    /** Hands an award over now, for an operator who waits, outside of the operator's transaction. */
    void handOverNow(Invoice invoice) throws ExecutionException, TimeoutException, InterruptedException {
        AwardFulfiller fulfiller = fulfillers.of(invoice.type()).orElseThrow();
        Future<?> begun = threads.submit(() -> fulfiller.handOver(List.of(invoice)));
        try {
            begun.get(waitMax.toMillis(), TimeUnit.MILLISECONDS);
        } finally {
            begun.cancel(false);
        }
    }

    /** Hands awards over and logs a failure, because nobody would get an exception after the commit. */
    private void handOverOrLeave(Map<AwardRecordId, RequestedHandover> requested) {
        try {
            handOver(requested);
        } catch (HandoverUnavailableException e) {
            LOG.warn(
                    "{} awards could not be handed over directly: {}. Their sagas try again.",
                    requested.size(),
                    e.getMessage());
        }
    }

    private void handOver(Map<AwardRecordId, RequestedHandover> requested) {
        AtomicBoolean isOver = new AtomicBoolean();
        Queue<HandoverResults> done = new ConcurrentLinkedQueue<>();
        List<Future<?>> begun = new ArrayList<>();
        fulfillers
                .assign(requested.values().stream()
                        .map(RequestedHandover::invoice)
                        .toList())
                .forEach((fulfiller, invoices) -> groupsOf(invoices)
                        .forEach(group ->
                                begun.add(threads.submit(() -> handOver(fulfiller, group, isOver::get, done::add)))));
        try {
            await(begun);
        } finally {
            isOver.set(true);
        }
        HandoverResults results = HandoverResults.all(done);
        results.granted().forEach(id -> sagas.end(AwardGrantSaga.class, id.text()));
        results.failed().forEach((id, why) -> {
            RequestedHandover at = Objects.requireNonNull(requested.get(id));
            try (var _ = TraceId.open(at.invoice().trace())) {
                at.failed().accept(why);
            }
        });
    }

    /**
     * Divides invoices of one type into groups that can be handed over at the same time. All invoices of a user are in
     * one group. Otherwise two groups with credits of one user would wait for each other, because both need the user's
     * credit account until their commits. A group has at most 32 invoices, unless a user has more.
     */
    private static List<List<Invoice>> groupsOf(List<Invoice> invoices) {
        Map<UserId, List<Invoice>> byUser =
                invoices.stream().collect(groupingBy(Invoice::userId, LinkedHashMap::new, toList()));
        List<List<Invoice>> groups = new ArrayList<>();
        for (List<Invoice> ofUser : byUser.values()) {
            if (groups.isEmpty() || groups.getLast().size() + ofUser.size() > TOGETHER_MAX) {
                groups.add(new ArrayList<>());
            }
            groups.getLast().addAll(ofUser);
        }
        return groups;
    }

    /** Waits for the handovers. A commit that is under way continues, and its sagas receive the events. */
    private void await(List<Future<?>> begun) {
        long endNanos = System.nanoTime() + waitMax.toNanos();
        try {
            for (Future<?> each : begun) {
                each.get(Math.max(0, endNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
            }
        } catch (TimeoutException e) {
            LOG.warn(
                    "Some awards were not handed over directly within {} ms. Their sagas try again.",
                    waitMax.toMillis());
        } catch (ExecutionException e) {
            throw new HandoverUnavailableException("a resource for the handover is unavailable: " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new HandoverUnavailableException("interrupted while awards were handed over", e);
        } finally {
            begun.forEach(each -> each.cancel(false));
        }
    }

    /** Hands over the awards of a group, 32 at a time, as long as the batch waits. */
    private void handOver(
            AwardFulfiller fulfiller, List<Invoice> group, BooleanSupplier isOver, Consumer<HandoverResults> done) {
        group.stream()
                .gather(Gatherers.windowFixed(TOGETHER_MAX))
                .takeWhile(_ -> !isOver.getAsBoolean())
                .forEach(together -> done.accept(handOver(fulfiller, together, isOver)));
    }

    /**
     * Hands over the awards of all invoices together. If that fails, it tries each half, until it has found the awards
     * that fail. It gives up when the batch does not wait any more.
     */
    private HandoverResults handOver(AwardFulfiller fulfiller, List<Invoice> invoices, BooleanSupplier isOver) {
        boolean isOne = invoices.size() == 1;
        try (var _ = TraceId.open(isOne ? invoices.getFirst().trace() : null)) {
            return new HandoverResults(fulfiller.handOver(invoices), Map.of());
        } catch (RuntimeException | Error e) {
            boolean givesUp = Thread.currentThread().isInterrupted() || isOver.getAsBoolean();
            if (givesUp || (isOne && isOutage.test(e))) {
                throw e;
            }
            if (isOne) {
                AwardRecordId id = invoices.getFirst().awardRecordId();
                LOG.warn("The award {} could not be handed over: {}. Its saga tries again.", id.text(), e.toString());
                return new HandoverResults(Set.of(), Map.of(id, e.toString()));
            }
            LOG.debug("{} awards could not be handed over together. Each half is tried alone.", invoices.size(), e);
        }
        int half = invoices.size() / 2;
        return HandoverResults.all(List.of(
                handOver(fulfiller, invoices.subList(0, half), isOver),
                handOver(fulfiller, invoices.subList(half, invoices.size()), isOver)));
    }

    private record RequestedHandover(Invoice invoice, Consumer<String> failed) {}

    /**
     * The results of some awards.
     *
     * @param failed the reasons why awards could not be handed over, by award
     */
    private record HandoverResults(Set<AwardRecordId> granted, Map<AwardRecordId, String> failed) {

        static HandoverResults all(Collection<HandoverResults> some) {
            Set<AwardRecordId> granted = new HashSet<>();
            Map<AwardRecordId, String> failed = new HashMap<>();
            some.forEach(each -> {
                granted.addAll(each.granted);
                failed.putAll(each.failed);
            });
            return new HandoverResults(granted, failed);
        }
    }

    @Override
    public void destroy() {
        threads.shutdownNow();
    }
}
