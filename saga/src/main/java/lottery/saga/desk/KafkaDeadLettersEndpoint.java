package lottery.saga.desk;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.proposal.MayNeedSecondPerson;
import lottery.api.proposal.Proposal;
import lottery.api.proposal.ProposalCommand.ProposeAction;
import lottery.api.proposal.ProposalState;
import lottery.api.proposal.ProposedAction;
import lottery.messaging.KafkaTopics;
import lottery.saga.desk.DeadLetterTable.DeadLetterDetails;
import lottery.saga.desk.DeadLetterTable.DeadLetterState;
import lottery.saga.desk.DeskPaging.Page;
import lottery.saga.desk.OperatorDecisionLog.OperatorAction;
import org.apache.kafka.clients.producer.ProducerRecord;
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

/** Shows dead letters over REST, and retries or drops them. */
@RestController
@Tag(name = "Dead letters", description = "The desk: messages from Kafka that no consumer could read or handle.")
@RequestMapping(produces = MediaType.APPLICATION_JSON_VALUE)
class KafkaDeadLettersEndpoint {

    private static final String ALL = "/api/v1/ops/dead-letters";
    private static final List<String> TOPICS =
            List.of(KafkaTopics.INVOICE, KafkaTopics.FULFILMENT, KafkaTopics.BEHAVIOURS, KafkaTopics.DRAW_REQUESTS);

    /**
     * The topics whose dead letters only two persons together can give up, because a user could lose an award, a draw
     * or a rebate. An answer that is given up does no harm: the invoice is sent again.
     */
    private static final Set<String> OF_USERS =
            Set.of(KafkaTopics.INVOICE, KafkaTopics.DRAW_REQUESTS, KafkaTopics.BEHAVIOURS);

    /**
     * The most retries at the same time. While the broker answers, each retry holds a database connection that draws
     * need.
     */
    private static final int RETRIES_MAX = 2;

    private final DeadLetterTable messages;
    private final DeadLetterRepublisher post;
    private final OperatorDecisionLog decisions;
    private final OperatorCommandSender commands;
    private final UndeliverableDropper dropper;
    private final TransactionTemplate transaction;
    private final Semaphore retries = new Semaphore(RETRIES_MAX);

    KafkaDeadLettersEndpoint(
            DeadLetterTable messages,
            DeadLetterRepublisher post,
            OperatorDecisionLog decisions,
            OperatorCommandSender commands,
            UndeliverableDropper dropper,
            PlatformTransactionManager transactions) {
        this.messages = messages;
        this.post = post;
        this.decisions = decisions;
        this.commands = commands;
        this.dropper = dropper;
        this.transaction = new TransactionTemplate(transactions);
    }

    record DeadLettersPage(
            List<DeadLetterDetails> deadLetters, @Nullable String next) {}

    /** Lists dead letters, the newest first. */
    @Operation(summary = "List messages that could not be read", description = """
                    Returns messages from Kafka that no consumer could read or handle, the newest first, page by page.
                    Without `state`, only messages without a decision (OPEN) are returned.""")
    @GetMapping(ALL)
    DeadLettersPage listDeadLetters(
            @RequestParam(required = false) @Nullable String topic,
            @RequestParam(defaultValue = "OPEN") DeadLetterState state,
            @RequestParam(required = false) @Nullable String cursor,
            @RequestParam(defaultValue = "20") int limit) {
        if (topic != null && !TOPICS.contains(topic)) {
            throw new RefusedException(Refusal.INVALID, "topic");
        }
        DeskCursor from = DeskCursor.read(cursor, DeskCursor.of(Long.MAX_VALUE));
        Page<DeadLetterDetails> page = Page.of(
                messages.before(
                        from.number(0), state, topic == null ? TOPICS : List.of(topic), DeskPaging.checked(limit) + 1),
                limit,
                message -> DeskCursor.of(message.id()));
        return new DeadLettersPage(page.items(), page.next());
    }

    /**
     * Sends the message again, once. The dead letter stays open until the broker has the message; a second request
     * waits until then. After a crash in between, the dead letter is still open. In that case the message may be sent
     * twice, like any message.
     */
    @Operation(summary = "Send a dead letter again", description = """
                    Sends the message once more to the topic that it came from, and returns its state. A message that
                    was already dropped or sent again does not change. If the process crashes during the call, the
                    message may be sent twice, like any message of Kafka. Two retries can run at a time; further ones
                    are refused with BUSY.""")
    @PostMapping(ALL + "/{id}/retry")
    DeadLetterDetails retryDeadLetter(@PathVariable long id) {
        DeadLetterDetails message = messages.find(id).orElseThrow(() -> none(id));
        if (message.state() != DeadLetterState.OPEN) {
            return message;
        }
        if (!retries.tryAcquire()) {
            throw new RefusedException(Refusal.BUSY, UndeliverableDropper.subject(id));
        }
        try {
            return retryOpen(id);
        } finally {
            retries.release();
        }
    }

    private DeadLetterDetails retryOpen(long id) {
        // The content is fetched before the transaction, so that the transaction does not hold a database connection
        // during the fetch.
        ProducerRecord<String, byte[]> message = post.complete(messages.original(id));
        return transaction
                .execute(_ -> {
                    if (messages.decide(id, DeadLetterState.RETRIED, null)) {
                        post.send(message);
                        decisions.record(OperatorAction.RETRY, UndeliverableDropper.subject(id), null);
                    }
                    return messages.find(id);
                })
                .orElseThrow(() -> none(id));
    }

    /** Gives the message up. The first decision counts: a message that was sent again stays in that state. */
    @Operation(summary = "Give a dead letter up", description = """
                    Drops the message, with a reason, and returns its state. The first decision counts: a message that
                    was sent again does not change.

                    A message of `lottery_fulfilment` can be dropped by one person. Any other message may cost a user
                    something, so two persons are needed to drop it. The request is a proposal then, and returns 202.
                    The message is dropped when another person of the desk agrees.""")
    @MayNeedSecondPerson
    @ApiResponse(
            responseCode = "200",
            description = "OK",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON_VALUE,
                            schema = @Schema(implementation = DeadLetterDetails.class)))
    @PostMapping(ALL + "/{id}/drop")
    ResponseEntity<?> dropDeadLetter(@PathVariable long id, @Valid @RequestBody DecisionReason drop) {
        DeadLetterDetails message = messages.find(id).orElseThrow(() -> none(id));
        if (message.state() == DeadLetterState.OPEN && OF_USERS.contains(message.topic())) {
            ProposedAction action = ProposedAction.dropOfDeadLetter(UndeliverableDropper.subject(id));
            Proposal proposal =
                    commands.send(new ProposeAction(action, drop.reason())).orThrow();
            if (proposal.state() != ProposalState.AGREED) {
                return ResponseEntity.accepted().body(proposal);
            }
            dropper.drop(proposal);
        } else {
            dropper.dropDeadLetter(id, drop.reason(), OperatorDecisionLog.caller());
        }
        return ResponseEntity.ok(messages.find(id).orElseThrow(() -> none(id)));
    }

    private static RefusedException none(long id) {
        return new RefusedException(Refusal.NOT_FOUND, UndeliverableDropper.subject(id));
    }
}
