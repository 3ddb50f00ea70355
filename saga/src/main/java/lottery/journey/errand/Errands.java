package lottery.journey.errand;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import lottery.api.Answer;
import lottery.api.Command;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.commandhandling.GenericCommandMessage;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * What journeys ask for when it is time. It is sent when the journey's new state is committed, beside the sweep, which
 * must not hold its rows while somebody decides. Whatever is lost here is asked for again: the journey stays due until
 * it hears that it has happened.
 */
@Component
public final class Errands implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(Errands.class);

    /** As many as the database can work on beside everything else. */
    private static final int UNDER_WAY_MAX = 16;

    private static final long ANSWER_WAIT_MAX_SECONDS = 5;

    /**
     * Thousands can be due in the same second, and the sweep takes no more of them than are answered. It holds no rows
     * any more when it waits here; where nothing is answered at all, a full sweep is over in two seconds.
     */
    private static final long PLACE_WAIT_MAX_MS = 40;

    private static final Duration PAUSE_MIN = Duration.ofSeconds(2);
    private static final Duration PAUSE_MAX = Duration.ofMinutes(1);

    private final Executor threads;
    private final Semaphore free = new Semaphore(UNDER_WAY_MAX);

    private volatile boolean running;

    Errands() {
        this(Thread::startVirtualThread);
    }

    public Errands(Executor threads) {
        this.threads = threads;
    }

    /**
     * How long to wait until the same is asked for again.
     *
     * @param attempts how often it had been asked for in vain before
     */
    public static Duration pauseAfter(int attempts) {
        Duration pause = PAUSE_MIN.multipliedBy(1L << Math.min(attempts, 10));
        return pause.compareTo(PAUSE_MAX) < 0 ? pause : PAUSE_MAX;
    }

    public void sendAfterCommit(Command<?> command, CommandGateway commands) {
        // Made here and not on the thread that sends it: a message notes by itself what it follows from.
        CommandMessage<Command<?>> errand = new GenericCommandMessage<>(command);
        CurrentUnitOfWork.get().root().afterCommit(committed -> start(errand, commands));
    }

    private void start(CommandMessage<Command<?>> errand, CommandGateway commands) {
        try {
            if (!free.tryAcquire(PLACE_WAIT_MAX_MS, TimeUnit.MILLISECONDS)) {
                logUndone(errand, "too much is under way");
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            logUndone(errand, "interrupted");
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

    private static void send(CommandMessage<Command<?>> errand, CommandGateway commands) {
        try {
            Answer<?> answer = commands.<Answer<?>>send(errand).get(ANSWER_WAIT_MAX_SECONDS, TimeUnit.SECONDS);
            switch (answer) {
                case Answer.Done<?> _ -> LOG.debug("{} was asked for, and done", errand.getPayload());
                // Mostly somebody was faster, and the event that says so ends the wait.
                case Answer.No<?> no ->
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

    private static void logUndone(CommandMessage<Command<?>> errand, Object why) {
        LOG.warn("{} was not done and is asked for again: {}", errand.getPayload(), String.valueOf(why));
    }

    @Override
    public void start() {
        running = true;
    }

    /**
     * What is under way gets its answer. It is waited for here and not when beans are destroyed: this one is made
     * before the database is, and would be destroyed after it.
     */
    @Override
    public void stop() {
        running = false;
        try {
            if (free.tryAcquire(UNDER_WAY_MAX, ANSWER_WAIT_MAX_SECONDS, TimeUnit.SECONDS)) {
                free.release(UNDER_WAY_MAX);
            } else {
                LOG.warn("stopped while something was being asked for");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** After the sweep, which sends nothing any more then. */
    @Override
    public int getPhase() {
        return DEFAULT_PHASE - 1;
    }
}
