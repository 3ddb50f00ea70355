package lottery.journey.grant;

import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import lottery.api.Answer;
import lottery.api.award.AwardCommand.ConfirmDispatch;
import lottery.api.award.AwardRecordId;
import lottery.api.award.AwardState;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.commandhandling.GenericCommandMessage;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/**
 * Notes on award records that their invoices are with the broker.
 *
 * <p>A note is sent when the batch with the win is committed, beside the processor, which must not wait for commands.
 * It may come twice, and a crash at this moment loses it. Nothing depends on it: it changes a record once only, and the
 * answer of fulfilment is accepted by a record that does not know of its dispatch.
 */
@Component
final class Dispatches implements DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(Dispatches.class);

    /** So many share a few commits, and each draw shares them, too; a processor that is ahead of them waits. */
    private static final int UNDER_WAY_MAX = 128;

    private static final long WAIT_MAX_SECONDS = 5;

    /** A processor that waits so long for each win of a full batch still owns its token. */
    private static final long PLACE_WAIT_MAX_MS = 40;

    private final Executor threads;
    private final Semaphore free = new Semaphore(UNDER_WAY_MAX);

    Dispatches() {
        this(Thread::startVirtualThread);
    }

    Dispatches(Executor threads) {
        this.threads = threads;
    }

    void confirmAfterCommit(AwardRecordId awardRecordId, CommandGateway commands) {
        UnitOfWork<?> batch = CurrentUnitOfWork.get().root();
        // Made here and not on the thread that sends it: a message notes by itself what it follows from.
        CommandMessage<ConfirmDispatch> note = new GenericCommandMessage<>(new ConfirmDispatch(awardRecordId));
        batch.afterCommit(committed -> start(note, commands));
    }

    private void start(CommandMessage<ConfirmDispatch> note, CommandGateway commands) {
        try {
            if (!free.tryAcquire(PLACE_WAIT_MAX_MS, TimeUnit.MILLISECONDS)) {
                logUnnoted(note, "too many notes are under way");
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            logUnnoted(note, "interrupted");
            return;
        }
        threads.execute(() -> {
            try {
                send(note, commands);
            } finally {
                free.release();
            }
        });
    }

    private static void send(CommandMessage<ConfirmDispatch> note, CommandGateway commands) {
        try {
            Answer<AwardState> answer = commands.<Answer<AwardState>>send(note).get(WAIT_MAX_SECONDS, TimeUnit.SECONDS);
            switch (answer) {
                case Answer.Done<AwardState> ignored -> {}
                case Answer.No<AwardState> no -> logUnnoted(note, no.refused());
            }
        } catch (ExecutionException e) {
            logUnnoted(note, Objects.requireNonNullElse(e.getCause(), e));
        } catch (TimeoutException e) {
            logUnnoted(note, "no answer in time");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            logUnnoted(note, "interrupted");
        }
    }

    private static void logUnnoted(CommandMessage<ConfirmDispatch> note, Object why) {
        LOG.warn("the dispatch of {} is not noted: {}", note.getPayload().awardRecordId(), String.valueOf(why));
    }

    /** What is under way gets its answer before the database is closed. */
    @Override
    public void destroy() throws InterruptedException {
        if (!free.tryAcquire(UNDER_WAY_MAX, WAIT_MAX_SECONDS, TimeUnit.SECONDS)) {
            LOG.warn("stopped while dispatches were being noted");
        }
    }
}
