package lottery.journey.campaign;

import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import lottery.api.Answer;
import lottery.api.activity.ActivityCommand;
import lottery.api.activity.ActivityState;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.commandhandling.GenericCommandMessage;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/**
 * What campaigns are asked for when it is time. It is sent when the journey's new state is committed, beside the sweep,
 * which must not hold its rows while a campaign decides. Whatever is lost here is asked for again: the journey stays
 * due until it hears that it has happened.
 */
@Component
final class Errands implements DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(Errands.class);

    /** As many as the database can work on beside everything else. */
    private static final int UNDER_WAY_MAX = 16;

    private static final long ANSWER_WAIT_MAX_SECONDS = 5;

    private final Executor threads;
    private final Semaphore free = new Semaphore(UNDER_WAY_MAX);

    Errands() {
        this(Thread::startVirtualThread);
    }

    Errands(Executor threads) {
        this.threads = threads;
    }

    void sendAfterCommit(ActivityCommand command, CommandGateway commands) {
        // Made here and not on the thread that sends it: a message notes by itself what it follows from.
        CommandMessage<ActivityCommand> errand = new GenericCommandMessage<>(command);
        CurrentUnitOfWork.get().root().afterCommit(committed -> start(errand, commands));
    }

    private void start(CommandMessage<ActivityCommand> errand, CommandGateway commands) {
        // Nobody waits here: whoever calls is the sweep, and other journeys are due.
        if (!free.tryAcquire()) {
            logUndone(errand, "too much is under way");
            return;
        }
        threads.execute(() -> {
            try {
                send(errand, commands);
            } finally {
                free.release();
            }
        });
    }

    private static void send(CommandMessage<ActivityCommand> errand, CommandGateway commands) {
        try {
            Answer<ActivityState> answer =
                    commands.<Answer<ActivityState>>send(errand).get(ANSWER_WAIT_MAX_SECONDS, TimeUnit.SECONDS);
            switch (answer) {
                case Answer.Done<ActivityState> _ -> LOG.info("{} was asked for, and done", errand.getPayload());
                // Somebody was faster, and the event that says so ends the wait.
                case Answer.No<ActivityState> no ->
                    LOG.info("{} was asked for, and refused: {}", errand.getPayload(), no.refused());
            }
        } catch (ExecutionException e) {
            logUndone(errand, Objects.requireNonNullElse(e.getCause(), e));
        } catch (TimeoutException e) {
            logUndone(errand, "no answer in time");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            logUndone(errand, "interrupted");
        }
    }

    private static void logUndone(CommandMessage<ActivityCommand> errand, Object why) {
        LOG.warn("{} was not done and is asked for again: {}", errand.getPayload(), String.valueOf(why));
    }

    /** What is under way gets its answer before the database is closed. */
    @Override
    public void destroy() throws InterruptedException {
        if (!free.tryAcquire(UNDER_WAY_MAX, ANSWER_WAIT_MAX_SECONDS, TimeUnit.SECONDS)) {
            LOG.warn("stopped while campaigns were being asked to start or to close");
        }
    }
}
