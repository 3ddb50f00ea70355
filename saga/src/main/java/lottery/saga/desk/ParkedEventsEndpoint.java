package lottery.saga.desk;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.proposal.MayNeedSecondPerson;
import lottery.api.proposal.Proposal;
import lottery.api.proposal.ProposalCommand.ProposeAction;
import lottery.api.proposal.ProposalState;
import lottery.api.proposal.ProposedAction;
import lottery.saga.desk.DeskPaging.Page;
import lottery.saga.desk.OperatorDecisionLog.OperatorAction;
import lottery.store.log.Log;
import lottery.store.log.LogPosition;
import lottery.store.log.Logs;
import lottery.store.processing.ParkedEventQueries;
import lottery.store.processing.ParkedEventQueries.ParkedEventFilter;
import lottery.store.processing.ParkedEventView;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Shows over REST which events a read model or a saga could not handle, and retries or drops them. */
@RestController
@Tag(name = "Parked events", description = "The desk: events that a read model or a saga could not handle.")
@RequestMapping(produces = MediaType.APPLICATION_JSON_VALUE)
class ParkedEventsEndpoint {

    private static final String ALL = "/api/v1/ops/parked-events";
    private static final String ONE = ALL + "/{processor}/{position}";

    /**
     * The processors of sagas. Only giving up their events needs two persons, because a user could lose an award,
     * chances or credits. Read models can be built again.
     */
    private static final Set<String> OF_SAGAS = Set.of("grants", "schedule", "recharges", "rebates");

    /** The length of the longest name of a sequence. A sequence is named after a user or an aggregate. */
    private static final int SEQUENCE_LENGTH_MAX = 300;

    private final ParkedEventQueries parked;
    private final Logs logs;
    private final OperatorDecisionLog decisions;
    private final OperatorCommandSender commands;
    private final UndeliverableDropper dropper;
    private final TransactionTemplate transaction;

    ParkedEventsEndpoint(
            ParkedEventQueries parked,
            Logs logs,
            OperatorDecisionLog decisions,
            OperatorCommandSender commands,
            UndeliverableDropper dropper,
            PlatformTransactionManager transactions) {
        this.parked = parked;
        this.logs = logs;
        this.decisions = decisions;
        this.commands = commands;
        this.dropper = dropper;
        this.transaction = new TransactionTemplate(transactions);
    }

    /**
     * An event that waits, or that was given up.
     *
     * @param sequence the sequence of the event, usually a user; the events of a sequence must not overtake each other
     * @param event the event's stable name
     * @param subject the aggregate of the event
     * @param behind how many events wait behind this event
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

    /** Lists the first event of each sequence, all events of one sequence, or the events that were given up. */
    @Operation(summary = "List events that could not be handled", description = """
                    Returns events that a read model or a saga could not handle, page by page: the first event of each
                    sequence. With `sequence`, all events of that sequence are returned. With `dropped=true`, the
                    dropped events are returned.""")
    @GetMapping(ALL)
    ParkedEventsPage listParkedEvents(
            @RequestParam(required = false) @Nullable String processor,
            @RequestParam(required = false) @Nullable String sequence,
            @RequestParam(defaultValue = "false") boolean dropped,
            @RequestParam(required = false) @Nullable String cursor,
            @RequestParam(defaultValue = "20") int limit) {
        DeskCursor from = DeskCursor.read(cursor, DeskCursor.of("", 0));
        ParkedEventFilter filter = new ParkedEventFilter(known(processor), dropped, fit(sequence));
        Page<ParkedEventView> page = Page.of(
                parked.find(filter, from.word(0), from.number(1), DeskPaging.checked(limit) + 1),
                limit,
                event -> DeskCursor.of(event.processor(), event.position()));
        return new ParkedEventsPage(page.each(ParkedEventDetails::of), page.next());
    }

    /**
     * Makes the event due now, together with the earlier events of its sequence. An event that was given up stays given
     * up.
     */
    @Operation(summary = "Handle a parked event now", description = """
                    Makes the event due now, together with the earlier events of its sequence, and returns its status. A
                    dropped event does not change.""")
    @PostMapping(ONE + "/retry")
    ParkedEventDetails retryParkedEvent(@PathVariable String processor, @PathVariable long position) {
        return logOf(processor, position).call(() -> {
            transaction.executeWithoutResult(_ -> {
                if (parked.retry(processor, position)) {
                    decisions.record(OperatorAction.RETRY, UndeliverableDropper.subject(processor, position), null);
                }
            });
            return ParkedEventDetails.of(found(processor, position));
        });
    }

    /**
     * Gives the event up; the events behind it continue. The first reason counts: an event that was given up stays
     * given up.
     */
    @Operation(summary = "Give a parked event up", description = """
                    Drops the event, with a reason; the events behind it are handled. The first reason counts: dropping
                    an event again changes nothing.

                    An event of the processors `grants`, `schedule`, `recharges` and `rebates` gives something to a
                    user, so two persons are needed to drop it. The request is a proposal then, and returns 202. The
                    event is dropped when another person of the desk agrees.""")
    @MayNeedSecondPerson
    @ApiResponse(
            responseCode = "200",
            description = "OK",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON_VALUE,
                            schema = @Schema(implementation = ParkedEventDetails.class)))
    @PostMapping(ONE + "/drop")
    ResponseEntity<?> dropParkedEvent(
            @PathVariable String processor, @PathVariable long position, @Valid @RequestBody DecisionReason drop) {
        Log log = logOf(processor, position);
        if (log.call(() -> found(processor, position)).droppedBecause() == null && OF_SAGAS.contains(processor)) {
            ProposedAction action = ProposedAction.dropOfParkedEvent(UndeliverableDropper.subject(processor, position));
            Proposal proposal =
                    commands.send(new ProposeAction(action, drop.reason())).orThrow();
            if (proposal.state() != ProposalState.AGREED) {
                return ResponseEntity.accepted().body(proposal);
            }
            dropper.drop(proposal);
        } else {
            dropper.dropParkedEvent(processor, position, drop.reason(), OperatorDecisionLog.caller());
        }
        return ResponseEntity.ok(ParkedEventDetails.of(log.call(() -> found(processor, position))));
    }

    private ParkedEventView found(String processor, long position) {
        return parked.find(processor, position).orElseThrow(() -> notFound(processor, position));
    }

    private Log logOf(String processor, long position) {
        return Optional.of(position)
                .filter(_ -> position >= 0 && DeskPaging.isName(processor))
                .map(LogPosition::of)
                .flatMap(logs::of)
                .orElseThrow(() -> notFound(processor, position));
    }

    private static RefusedException notFound(String processor, long position) {
        return new RefusedException(Refusal.NOT_FOUND, UndeliverableDropper.subject(processor, position));
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
