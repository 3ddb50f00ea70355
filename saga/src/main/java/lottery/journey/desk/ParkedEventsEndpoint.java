package lottery.journey.desk;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.journey.desk.DeskPaging.Page;
import lottery.journey.desk.OperatorDecisionLog.OperatorAction;
import lottery.store.processing.ParkedEventQueries;
import lottery.store.processing.ParkedEventQueries.Wanted;
import lottery.store.processing.ParkedEventView;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Shows events that a read model or a saga could not handle over REST, and retries or drops them. */
@RestController
@Tag(name = "Parked events", description = "The desk: events that a read model or a saga could not handle.")
@RequestMapping(produces = MediaType.APPLICATION_JSON_VALUE)
class ParkedEventsEndpoint {

    private static final String ALL = "/api/v1/ops/parked-events";
    private static final String ONE = ALL + "/{processor}/{position}";

    /** The longest name of a sequence, which is a user or an aggregate. */
    private static final int SEQUENCE_LENGTH_MAX = 300;

    private final ParkedEventQueries parked;
    private final OperatorDecisionLog decisions;
    private final TransactionTemplate transaction;

    ParkedEventsEndpoint(
            ParkedEventQueries parked, OperatorDecisionLog decisions, PlatformTransactionManager transactions) {
        this.parked = parked;
        this.decisions = decisions;
        this.transaction = new TransactionTemplate(transactions);
    }

    /**
     * An event that waits, or that was given up.
     *
     * @param sequence shared by all events that must not overtake each other: usually a user
     * @param event the event's stable name
     * @param subject the aggregate of the event
     * @param behind how many events wait behind it
     */
    record ParkedEventDetails(
            String processor,
            String sequence,
            long position,
            @Nullable String event,
            @Nullable String subject,
            String cause,
            int attempts,
            Instant parkedAt,
            Instant retryAt,
            long behind,
            @Nullable String droppedBecause,
            @Nullable Instant droppedAt) {

        static ParkedEventDetails of(ParkedEventView parked) {
            return new ParkedEventDetails(
                    parked.processor(),
                    parked.sequence(),
                    parked.position(),
                    parked.type(),
                    parked.aggregateId(),
                    parked.cause(),
                    parked.attempts(),
                    parked.parkedAt(),
                    parked.retryAt(),
                    parked.behind(),
                    parked.droppedBecause(),
                    parked.droppedAt());
        }
    }

    record ParkedEventsPage(
            List<ParkedEventDetails> parkedEvents, @Nullable String next) {}

    /** Lists the first event of each sequence, or all events of one sequence, or those that were given up. */
    @Operation(summary = "List events that could not be handled", description = """
                    Answers events that a read model or a saga could not handle: the first of each sequence, a page
                    at a time. With `sequence` it answers all events of that sequence, and with `dropped=true` those
                    that were given up.""")
    @GetMapping(ALL)
    ParkedEventsPage listParkedEvents(
            @RequestParam(required = false) @Nullable String processor,
            @RequestParam(required = false) @Nullable String sequence,
            @RequestParam(defaultValue = "false") boolean dropped,
            @RequestParam(required = false) @Nullable String cursor,
            @RequestParam(defaultValue = "20") int limit) {
        DeskCursor from = DeskCursor.read(cursor, DeskCursor.of("", 0));
        Wanted wanted = new Wanted(known(processor), dropped, fit(sequence));
        Page<ParkedEventView> page = Page.of(
                parked.find(wanted, from.word(0), from.number(1), DeskPaging.checked(limit) + 1),
                limit,
                event -> DeskCursor.of(event.processor(), event.position()));
        return new ParkedEventsPage(page.each(ParkedEventDetails::of), page.next());
    }

    /** Makes the event due now, with the earlier ones of its sequence. One that was given up stays so. */
    @Operation(summary = "Handle a parked event now", description = """
                    Makes the event due now, with the earlier ones of its sequence, and answers how it stands. One
                    that was given up stays so.""")
    @PostMapping(ONE + "/retry")
    ParkedEventDetails retryParkedEvent(@PathVariable String processor, @PathVariable long position) {
        return decide(processor, position, () -> {
            if (parked.retry(processor, position)) {
                decisions.keep(OperatorAction.RETRY, subject(processor, position), null);
            }
        });
    }

    /** Gives the event up; those behind it go on. The first reason counts: one that was given up stays so. */
    @Operation(summary = "Give a parked event up", description = """
                    Gives the event up, with a reason; those behind it go on. The first reason counts: an event that
                    was given up stays so.""")
    @PostMapping(ONE + "/drop")
    ParkedEventDetails dropParkedEvent(
            @PathVariable String processor, @PathVariable long position, @Valid @RequestBody DecisionReason why) {
        return decide(processor, position, () -> {
            if (parked.drop(processor, position, why.reason())) {
                decisions.keep(OperatorAction.DROP, subject(processor, position), why.reason());
            }
        });
    }

    private ParkedEventDetails decide(String processor, long position, Runnable decision) {
        if (!DeskPaging.isName(processor)) {
            throw notFound(processor, position);
        }
        Optional<ParkedEventView> decided = transaction.execute(status -> {
            decision.run();
            return parked.find(processor, position);
        });
        return decided.map(ParkedEventDetails::of).orElseThrow(() -> notFound(processor, position));
    }

    private static RefusedException notFound(String processor, long position) {
        return new RefusedException(Refusal.NOT_FOUND, subject(processor, position));
    }

    private static String subject(String processor, long position) {
        return "parked-event:" + processor + "/" + position;
    }

    private @Nullable String known(@Nullable String processor) {
        if (processor != null && !(DeskPaging.isName(processor) && parked.knows(processor))) {
            throw new RefusedException(Refusal.NOT_FOUND, "processor:" + processor);
        }
        return processor;
    }

    private static @Nullable String fit(@Nullable String sequence) {
        boolean isUnfit = sequence != null
                && (sequence.length() > SEQUENCE_LENGTH_MAX
                        || sequence.codePoints().anyMatch(Character::isISOControl));
        if (isUnfit) {
            throw new RefusedException(Refusal.INVALID, "sequence");
        }
        return sequence;
    }
}
