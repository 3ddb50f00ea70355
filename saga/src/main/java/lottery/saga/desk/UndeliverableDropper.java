package lottery.saga.desk;

import java.util.Optional;
import lottery.api.account.AccountCommand.RefuseQueued;
import lottery.api.proposal.Proposal;
import lottery.api.proposal.ProposedAction;
import lottery.messaging.KafkaTopics;
import lottery.messaging.UnreadableMessageException;
import lottery.messaging.draw.QueuedDrawRequest;
import lottery.saga.desk.DeadLetterTable.DeadLetterState;
import lottery.saga.desk.OperatorDecisionLog.OperatorAction;
import lottery.store.log.Log;
import lottery.store.log.LogPosition;
import lottery.store.log.Logs;
import lottery.store.processing.ParkedEventQueries;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Gives up parked events and dead letters. The first decision counts: what was dropped or sent again stays so. */
@Component
final class UndeliverableDropper {

    private static final Logger LOG = LoggerFactory.getLogger(UndeliverableDropper.class);

    private static final String PARKED_EVENT = "parked-event:";
    private static final String DEAD_LETTER = "dead-letter:";

    private final ParkedEventQueries parked;
    private final Logs logs;
    private final DeadLetterTable messages;
    private final DeadLetterRepublisher republisher;
    private final OperatorCommandSender commands;
    private final OperatorDecisionLog decisions;
    private final TransactionTemplate transaction;
    private final TransactionTemplate apart;

    UndeliverableDropper(
            ParkedEventQueries parked,
            Logs logs,
            DeadLetterTable messages,
            DeadLetterRepublisher republisher,
            OperatorCommandSender commands,
            OperatorDecisionLog decisions,
            PlatformTransactionManager transactions) {
        this.parked = parked;
        this.logs = logs;
        this.messages = messages;
        this.republisher = republisher;
        this.commands = commands;
        this.decisions = decisions;
        this.transaction = new TransactionTemplate(transactions);
        this.apart = new TransactionTemplate(transactions);
        this.apart.setPropagationBehavior(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
    }

    /** Returns the name of a parked event in proposals and among the decisions of the desk. */
    static String subject(String processor, long position) {
        return PARKED_EVENT + processor + "/" + position;
    }

    /** Returns the name of a dead letter in proposals and among the decisions of the desk. */
    static String subject(long id) {
        return DEAD_LETTER + id;
    }

    /** Drops what two persons have agreed on. Nothing happens if they have agreed on anything else. */
    void drop(Proposal agreed) {
        ProposedAction action = agreed.action();
        String subject = action.subject();
        String reason = String.valueOf(agreed.reason());
        switch (action.kind()) {
            case DROP_PARKED_EVENT -> {
                int slash = subject.indexOf('/');
                dropParkedEvent(
                        subject.substring(PARKED_EVENT.length(), slash),
                        Long.parseLong(subject.substring(slash + 1)),
                        reason,
                        agreed.decidedBy());
            }
            case DROP_DEAD_LETTER ->
                dropDeadLetter(Long.parseLong(subject.substring(DEAD_LETTER.length())), reason, agreed.decidedBy());
            case BOOK_CREDITS,
                    ADOPT_RULE,
                    ERASE_PERSON,
                    VOID_AWARD,
                    SUBSTITUTE_AWARD,
                    RETURN_CHANCE,
                    DROP_REBATE,
                    REFUND_PAYMENT,
                    NOTE_REFUND,
                    CHANGE_ACCOUNT -> {
                // Others carry these out.
            }
        }
    }

    /** @param by who has decided; null if callers are not authenticated */
    void dropParkedEvent(String processor, long position, String reason, @Nullable String by) {
        Log log = logs.of(LogPosition.of(position)).orElseThrow();
        log.run(() -> transaction.executeWithoutResult(_ -> {
            if (parked.drop(processor, position, reason)) {
                decisions.record(OperatorAction.DROP, subject(processor, position), reason, by);
            }
        }));
    }

    /**
     * Drops a dead letter. If it asks for a draw, the draw is refused, so that its user learns that it does not come.
     * No retry gets in between.
     *
     * @param by who has decided; null if callers are not authenticated
     */
    void dropDeadLetter(long id, String reason, @Nullable String by) {
        Optional<QueuedDrawRequest> draw = messages.find(id)
                .filter(message -> message.topic().equals(KafkaTopics.DRAW_REQUESTS))
                .filter(message -> message.state() == DeadLetterState.OPEN)
                .flatMap(_ -> readDraw(id));
        transaction.executeWithoutResult(_ -> {
            if (messages.decide(id, DeadLetterState.DROPPED, reason)) {
                draw.ifPresent(this::refuse);
                decisions.record(OperatorAction.DROP, subject(id), reason, by);
            }
        });
    }

    /** Refuses the draw in the log of its user, which another transaction commits to. */
    private void refuse(QueuedDrawRequest waited) {
        apart.executeWithoutResult(
                _ -> commands.send(new RefuseQueued(waited.command())).orThrow());
    }

    private Optional<QueuedDrawRequest> readDraw(long id) {
        try {
            return Optional.of(QueuedDrawRequest.read(republisher.read(messages.original(id))));
        } catch (UnreadableMessageException unreadable) {
            LOG.warn("{} is dropped, and no draw is refused: {}", subject(id), unreadable.getMessage());
            return Optional.empty();
        }
    }
}
