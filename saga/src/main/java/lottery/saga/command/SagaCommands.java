package lottery.saga.command;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import lottery.api.Answer;
import lottery.api.Command;
import lottery.store.command.CommandFailedException;
import lottery.store.command.CommandSender;
import lottery.store.trace.TraceId;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.commandhandling.GenericCommandMessage;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Sends the commands of sagas after the commit of their new state. It uses other threads, because the poller of due
 * sagas must not keep its rows locked while a command is handled.
 *
 * <p>A command may be lost by a crash after the commit, or because too many commands are in progress. So a saga stays
 * due until an event shows that the command was done. The dispatch of an award is the exception: its command is sent
 * once per invoice.
 */
@Component
public final class SagaCommands implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(SagaCommands.class);

    /**
     * The most commands at the same time: as many as the database can handle besides its other work. Thousands of sagas
     * can be due in the same second. Because of this limit, the poller takes sagas no faster than their commands are
     * answered.
     */
    private static final int UNDER_WAY_MAX = 16;

    /**
     * Makes this bean stop after the poller of due sagas, so that no new commands come while this bean waits for the
     * last answers.
     */
    private static final int AFTER_THE_SWEEP = DEFAULT_PHASE - 1;

    private static final Duration STOP_WAIT_MAX = Duration.ofSeconds(5);

    /**
     * How long all commands of a batch together wait for permits. The batch is committed by then, so this wait keeps no
     * rows locked. It is short enough that a processor still owns its token afterwards.
     */
    private static final Duration PLACE_WAIT_MAX = Duration.ofSeconds(3);

    private static final Duration PAUSE_MIN = Duration.ofSeconds(2);
    private static final Duration PAUSE_MAX = Duration.ofMinutes(1);

    private final Executor threads;
    private final Duration placeWaitMax;
    private final Semaphore places = new Semaphore(UNDER_WAY_MAX);

    private volatile boolean running;

    SagaCommands() {
        this(Thread::startVirtualThread);
    }

    public SagaCommands(Executor threads) {
        this(threads, PLACE_WAIT_MAX);
    }

    SagaCommands(Executor threads, Duration placeWaitMax) {
        this.threads = threads;
        this.placeWaitMax = placeWaitMax;
    }

    /**
     * Returns how long a saga waits until it sends the same command again.
     *
     * @param attempts how often it has sent the command without effect before
     */
    public static Duration pauseAfter(int attempts) {
        Duration pause = PAUSE_MIN.multipliedBy(1L << Math.min(attempts, 10));
        return pause.compareTo(PAUSE_MAX) < 0 ? pause : PAUSE_MAX;
    }

    /**
     * Sends a command when the current unit of work is committed.
     *
     * @param gateway the gateway, which is the same for all commands of a unit of work
     */
    public void sendAfterCommit(Command<?> command, CommandGateway gateway) {
        UnitOfWork<?> batch = CurrentUnitOfWork.get().root();
        List<CommandMessage<Command<?>>> gathered = batch.getOrComputeResource(SagaCommands.class.getName(), key -> {
            List<CommandMessage<Command<?>>> fresh = new ArrayList<>();
            batch.afterCommit(_ -> {
                // Commands that are sent from now on, even in this phase, are collected in a new list.
                batch.resources().remove(key);
                send(List.copyOf(fresh), new CommandSender(gateway));
            });
            return fresh;
        });
        // The message is made on this thread, because it takes the trace id of the current thread.
        gathered.add(new GenericCommandMessage<>(command));
    }

    /**
     * Sends commands without waiting for their answers. If one command gets no permit, the commands after it get none
     * either.
     */
    private void send(List<CommandMessage<Command<?>>> messages, CommandSender sender) {
        long endNanos = System.nanoTime() + placeWaitMax.toNanos();
        for (int sent = 0; sent < messages.size(); sent++) {
            try {
                if (!places.tryAcquire(endNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    lost(messages.subList(sent, messages.size()), "too much is under way");
                    return;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                lost(messages.subList(sent, messages.size()), "interrupted");
                return;
            }
            begin(messages.get(sent), sender);
        }
    }

    private void begin(CommandMessage<Command<?>> message, CommandSender sender) {
        try {
            threads.execute(() -> {
                try (var _ = TraceId.open(TraceId.in(message).orElse(null))) {
                    send(message, sender);
                } finally {
                    places.release();
                }
            });
        } catch (RejectedExecutionException | OutOfMemoryError noThread) {
            places.release();
            lost(List.of(message), noThread);
        }
    }

    private static void send(CommandMessage<Command<?>> message, CommandSender sender) {
        Command<?> command = message.getPayload();
        try {
            switch (sender.<Answer<?>>send(message)) {
                case Answer.Done<?> _ -> LOG.debug("A saga has sent a command, and it was done: {}", command);
                // Usually somebody else has already made the change. The event of that change ends the wait.
                case Answer.No<?> no -> LOG.info("A saga has sent {}, which was refused: {}", command, no.refused());
            }
        } catch (CommandFailedException failed) {
            lost(List.of(message), failed.reason());
        }
    }

    private static void lost(List<CommandMessage<Command<?>>> messages, Object why) {
        Command<?> first = messages.getFirst().getPayload();
        String which = messages.size() == 1 ? first.toString() : "%s and %d more".formatted(first, messages.size() - 1);
        LOG.warn("A saga has sent {}, which failed: {}. The saga sends it again.", which, String.valueOf(why));
    }

    @Override
    public void start() {
        running = true;
    }

    /**
     * Waits for the answers of commands in progress. This must happen here, and not when beans are destroyed: this bean
     * is destroyed after the database's bean, and the commands need the database.
     */
    @Override
    public void stop() {
        running = false;
        try {
            if (places.tryAcquire(UNDER_WAY_MAX, STOP_WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
                places.release(UNDER_WAY_MAX);
            } else {
                LOG.info(
                        "Commands of sagas did not end within {} s. Their sagas send them again.",
                        STOP_WAIT_MAX.toSeconds());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return AFTER_THE_SWEEP;
    }
}
