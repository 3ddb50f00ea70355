package lottery.saga.desk;

import static java.util.Comparator.comparing;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.saga.desk.DeskPaging.Page;
import lottery.saga.desk.OperatorDecisionLog.OperatorAction;
import lottery.store.log.Logs;
import lottery.store.saga.LateSaga;
import lottery.store.saga.LateSagaQueries;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Shows over REST which sagas are late or have failed, and retries them. */
@RestController
@Tag(name = "Sagas", description = "The desk: sagas that are late or fail.")
@RequestMapping(produces = MediaType.APPLICATION_JSON_VALUE)
class LateSagasEndpoint {

    private static final String ALL = "/api/v1/ops/sagas";

    /** The stored name of the type of {@code PoolSaga}. */
    private static final String POOL = "pool";

    private static final Comparator<LateSaga> LONGEST_OVERDUE_FIRST = comparing(LateSagasEndpoint::sinceOf)
            .thenComparing(LateSaga::association)
            .thenComparing(LateSaga::type);

    private final LateSagaQueries sagas;
    private final Logs logs;
    private final OperatorDecisionLog decisions;
    private final TransactionTemplate transaction;
    private final InstantSource clock;

    LateSagasEndpoint(
            LateSagaQueries sagas,
            Logs logs,
            OperatorDecisionLog decisions,
            PlatformTransactionManager transactions,
            InstantSource clock) {
        this.sagas = sagas;
        this.logs = logs;
        this.decisions = decisions;
        this.transaction = new TransactionTemplate(transactions);
        this.clock = clock;
    }

    /**
     * A saga that makes no progress.
     *
     * @param id the award record, activity, recharge or behaviour that it is about
     * @param since the time at which it should have continued
     * @param dueAt when it is tried next; a past time is overdue
     * @param failures how often it failed in a row; 0 if it was not tried, if an outage stopped it, or if its commands
     *     have no effect
     * @param cause why it made no progress the last time
     */
    record LateSagaReply(
            String kind,
            String id,
            @Nullable Instant since,
            @Nullable Instant dueAt,
            int failures,
            @Nullable String cause) {

        static LateSagaReply of(LateSaga saga) {
            return new LateSagaReply(
                    saga.type(), saga.association(), saga.since(), saga.dueAt(), saga.failures(), saga.cause());
        }
    }

    record SagasPage(List<LateSagaReply> sagas, @Nullable String next) {}

    /** Lists sagas, the longest overdue first. */
    @Operation(summary = "List sagas that are late or fail", description = """
                    Returns the sagas of awards, activities, recharges and behaviours that are late or fail, the longest
                    overdue first, page by page. `kind` is one of `grant`, `activity`, `pool`, `recharge`
                    and `rebate`.""")
    @GetMapping(ALL)
    SagasPage listSagas(
            @RequestParam(required = false) @Nullable String kind,
            @RequestParam(required = false) @Nullable String cursor,
            @RequestParam(defaultValue = "20") int limit) {
        if (kind != null && !DeskPaging.isName(kind)) {
            throw new RefusedException(Refusal.INVALID, "kind");
        }
        DeskCursor from = DeskCursor.read(cursor, DeskCursor.of(0, "", ""));
        LateSagaQueries.PageEnd after = new LateSagaQueries.PageEnd(from.time(0), from.word(1), from.word(2));
        Page<LateSaga> page = Page.of(
                list(kind, after, DeskPaging.checked(limit) + 1),
                limit,
                saga -> DeskCursor.of(DeskCursor.number(sinceOf(saga)), saga.association(), saga.type()));
        return new SagasPage(page.each(LateSagaReply::of), page.next());
    }

    private List<LateSaga> list(@Nullable String kind, LateSagaQueries.PageEnd after, int max) {
        Instant now = clock.instant();
        return logs.readAll(() -> sagas.find(kind, now, after, max), LONGEST_OVERDUE_FIRST, max);
    }

    private static Instant sinceOf(LateSaga saga) {
        return Objects.requireNonNullElse(saga.since(), Instant.EPOCH);
    }

    /** Makes the saga due now, as if it had not failed. A saga that is neither late nor failing stays as it is. */
    @Operation(summary = "Try a late saga now", description = """
                    Makes a saga due now, as if it had not failed, and returns its status. A saga that is neither late
                    nor failing does not change.""")
    @PostMapping(ALL + "/{kind}/{id}/retry")
    LateSagaReply retrySaga(@PathVariable String kind, @PathVariable String id) {
        RefusedException notFound = new RefusedException(Refusal.NOT_FOUND, "saga:" + kind + "/" + id);
        if (!DeskPaging.isName(kind) || !DeskPaging.isName(id)) {
            throw notFound;
        }
        // The saga of an activity's pool may be late in several logs. Other sagas are in the log of the request.
        return logs.all().stream()
                .filter(log -> log == logs.current() || (kind.equals(POOL) && !log.isAway()))
                .flatMap(log -> log.call(() -> retry(kind, id)).stream())
                .reduce((first, _) -> first)
                .map(LateSagaReply::of)
                .orElseThrow(() -> notFound);
    }

    private Optional<LateSaga> retry(String kind, String id) {
        return transaction.execute(status -> {
            if (sagas.retry(kind, id, clock.instant())) {
                decisions.record(OperatorAction.RETRY, "saga:" + kind + "/" + id, null);
            }
            return sagas.find(kind, id);
        });
    }
}
