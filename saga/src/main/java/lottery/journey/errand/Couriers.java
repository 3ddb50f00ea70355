package lottery.journey.errand;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import lottery.api.Answer;
import lottery.api.Command;
import lottery.store.command.CommandFailed;
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

/**
 * Take commands to who decides about them, beside whoever sends them, who must not wait for that. They leave when what
 * made them necessary is committed; a crash at this moment loses them, and so does a day on which too many are under
 * way.
 */
public abstract class Couriers implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(Couriers.class);

    private static final long ANSWER_WAIT_MAX_SECONDS = 5;

    /**
     * For couriers, for all commands of a batch together. Whoever sends holds no rows any more when it waits here, and
     * a processor still owns its token after that.
     */
    protected static final Duration COURIERS_WAIT_MAX = Duration.ofSeconds(3);

    private static final Comparator<CommandMessage<Command<?>>> BY_TARGET =
            Comparator.comparing(message -> message.getPayload().target().text());

    private final int underWayMax;
    private final int perConvoyMax;
    private final int phase;
    private final Executor threads;
    private final Duration waitMax;
    private final Semaphore free;

    private volatile boolean running;

    /**
     * @param underWayMax so many can be under way at once
     * @param perConvoyMax so many of a batch can go together
     * @param phase of the process's life, lower than that of those who send
     */
    protected Couriers(int underWayMax, int perConvoyMax, int phase, Executor threads) {
        this(underWayMax, perConvoyMax, phase, threads, COURIERS_WAIT_MAX);
    }

    Couriers(int underWayMax, int perConvoyMax, int phase, Executor threads, Duration waitMax) {
        this.underWayMax = underWayMax;
        this.perConvoyMax = perConvoyMax;
        this.phase = phase;
        this.threads = threads;
        this.waitMax = waitMax;
        this.free = new Semaphore(underWayMax);
    }

    /** It has arrived. */
    protected abstract void answered(Command<?> command, Answer<?> answer);

    /**
     * They did not arrive, or nobody knows.
     *
     * @param which they are, for people: one line, however many
     */
    protected abstract void lost(String which, Object why);

    /**
     * It leaves when the current unit of work is committed.
     *
     * @param commands the same for all of a unit of work
     */
    public final void sendAfterCommit(Command<?> command, CommandGateway commands) {
        UnitOfWork<?> batch = CurrentUnitOfWork.get().root();
        List<CommandMessage<Command<?>>> gathered =
                batch.getOrComputeResource(getClass().getName(), key -> {
                    List<CommandMessage<Command<?>>> fresh = new ArrayList<>();
                    batch.afterCommit(committed -> {
                        // What is asked for from now on, even during this phase, is gathered anew.
                        batch.resources().remove(key);
                        sendNow(List.copyOf(fresh), commands);
                    });
                    return fresh;
                });
        // Made here and not on the thread that sends it: a message notes by itself what it follows from.
        gathered.add(new GenericCommandMessage<>(command));
    }

    /**
     * They leave at once, without waiting for their answers. Once there was no room for one, there is none for the
     * rest.
     */
    protected final void sendNow(List<CommandMessage<Command<?>>> messages, CommandGateway commands) {
        long endNanos = System.nanoTime() + waitMax.toNanos();
        for (int sent = 0; sent < messages.size(); sent += perConvoyMax) {
            List<CommandMessage<Command<?>>> rest = messages.subList(sent, messages.size());
            List<CommandMessage<Command<?>>> convoy = rest.subList(0, Math.min(perConvoyMax, rest.size()));
            try {
                if (!free.tryAcquire(convoy.size(), endNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    lost(rest, "too much is under way");
                    return;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                lost(rest, "interrupted");
                return;
            }
            begin(convoy, commands);
        }
    }

    private void begin(List<CommandMessage<Command<?>>> convoy, CommandGateway commands) {
        try {
            threads.execute(() -> {
                try {
                    send(convoy, commands);
                } finally {
                    free.release(convoy.size());
                }
            });
        } catch (RejectedExecutionException | OutOfMemoryError noThread) {
            free.release(convoy.size());
            lost(convoy, noThread);
        }
    }

    private void lost(List<CommandMessage<Command<?>>> messages, Object why) {
        String first = messages.getFirst().getPayload().toString();
        lost(messages.size() == 1 ? first : "%s and %d more".formatted(first, messages.size() - 1), why);
    }

    private void send(List<CommandMessage<Command<?>>> convoy, CommandGateway commands) {
        if (convoy.size() == 1 || !sendTogether(convoy, commands)) {
            for (CommandMessage<Command<?>> message : convoy) {
                try (var _ = TraceId.open(TraceId.in(message).orElse(null))) {
                    sendAlone(message, commands);
                }
            }
        }
    }

    /** Says whether all have arrived; if not, none has, or may come again. */
    private boolean sendTogether(List<CommandMessage<Command<?>>> unordered, CommandGateway commands) {
        List<CommandMessage<Command<?>>> convoy =
                unordered.stream().sorted(BY_TARGET).toList();
        List<Answer<?>> answers;
        try {
            answers = Convoy.send(convoy, commands);
        } catch (RuntimeException e) {
            LOG.debug("{} commands go one by one, because of {}", convoy.size(), e.toString());
            return false;
        }
        for (int i = 0; i < convoy.size(); i++) {
            answered(convoy.get(i).getPayload(), answers.get(i));
        }
        return true;
    }

    private void sendAlone(CommandMessage<Command<?>> message, CommandGateway commands) {
        Command<?> command = message.getPayload();
        try {
            answered(command, new CommandSender(commands).<Answer<?>>send(message));
        } catch (CommandFailed failed) {
            lost(command.toString(), failed.reason());
        }
    }

    @Override
    public void start() {
        running = true;
    }

    /**
     * What is under way gets its answer. It is waited for here and not when beans are destroyed: these are made before
     * the database is, and would be destroyed after it.
     */
    @Override
    public void stop() {
        running = false;
        awaitAnswers();
    }

    /** Of all that are under way. */
    protected final void awaitAnswers() {
        try {
            if (free.tryAcquire(underWayMax, ANSWER_WAIT_MAX_SECONDS, TimeUnit.SECONDS)) {
                free.release(underWayMax);
            } else {
                LOG.warn(
                        "{} had to leave commands that were under way",
                        getClass().getSimpleName());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public final boolean isRunning() {
        return running;
    }

    @Override
    public final int getPhase() {
        return phase;
    }
}
