package lottery.saga.desk;

import lottery.api.proposal.Proposal;
import lottery.api.proposal.ProposedAction;
import lottery.saga.desk.DeadLetterTable.DeadLetterState;
import lottery.saga.desk.OperatorDecisionLog.OperatorAction;
import lottery.store.processing.ParkedEventQueries;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Gives up parked events and dead letters. The first decision counts: what was dropped or sent again stays so. */
@Component
final class UndeliverableDropper {

    private static final String PARKED_EVENT = "parked-event:";
    private static final String DEAD_LETTER = "dead-letter:";

    private final ParkedEventQueries parked;
    private final DeadLetterTable messages;
    private final OperatorDecisionLog decisions;
    private final TransactionTemplate transaction;

    UndeliverableDropper(
            ParkedEventQueries parked,
            DeadLetterTable messages,
            OperatorDecisionLog decisions,
            PlatformTransactionManager transactions) {
        this.parked = parked;
        this.messages = messages;
        this.decisions = decisions;
        this.transaction = new TransactionTemplate(transactions);
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
                    CHANGE_ACCOUNT -> {
                // Others carry these out.
            }
        }
    }

    /** @param by who has decided; null if callers are not authenticated */
    void dropParkedEvent(String processor, long position, String reason, @Nullable String by) {
        transaction.executeWithoutResult(_ -> {
            if (parked.drop(processor, position, reason)) {
                decisions.record(OperatorAction.DROP, subject(processor, position), reason, by);
            }
        });
    }

    /** @param by who has decided; null if callers are not authenticated */
    void dropDeadLetter(long id, String reason, @Nullable String by) {
        transaction.executeWithoutResult(_ -> {
            if (messages.decide(id, DeadLetterState.DROPPED, reason)) {
                decisions.record(OperatorAction.DROP, subject(id), reason, by);
            }
        });
    }
}
