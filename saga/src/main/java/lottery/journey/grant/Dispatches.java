package lottery.journey.grant;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import lottery.api.Answer;
import lottery.api.Command;
import lottery.api.award.AwardCommand.ConfirmDispatch;
import lottery.api.award.AwardRecordId;
import lottery.api.strategy.AwardType;
import lottery.journey.errand.Couriers;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.commandhandling.GenericCommandMessage;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.config.Configurer;
import org.axonframework.config.ConfigurerModule;
import org.axonframework.lifecycle.Phase;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.spring.config.SpringAxonConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * Notes on award records that their invoices are with the broker, and that nobody has answered yet. Most are answered
 * within a fraction of a second: a note on these would be an event, a commit and a message to everybody about what is
 * over.
 *
 * <p>A note is sent beside the processor, which must not wait for commands. It may come twice, and a crash at this
 * moment loses it. Nothing depends on it: it changes a record once only, the answer of fulfilment is accepted by a
 * record that does not know of its dispatch, and the next invoice for what stays unanswered brings another note.
 */
@Component
final class Dispatches extends Couriers implements ConfigurerModule {

    private static final Logger LOG = LoggerFactory.getLogger(Dispatches.class);

    /** They share a few commits, as draws do. */
    private static final int UNDER_WAY_MAX = 256;

    /** Each holds its record until all are stored. */
    private static final int PER_CONVOY_MAX = 32;

    /** They send nothing any more then. */
    private static final int AFTER_THE_PROCESSORS = SpringAxonConfiguration.LIFECYCLE_PHASE - 1;

    /** When Axon shuts down, after its processors, and before its handlers of commands. */
    private static final int BEFORE_COMMANDS_END = Phase.INBOUND_EVENT_CONNECTORS - 1;

    /**
     * Enough for any fulfilment that has nothing to wait for, even where all have much to do: notes on what is merely
     * late would make it later.
     */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);

    private static final int UNANSWERED_MAX = 100_000;

    private final long patienceNanos;

    /** The oldest first. */
    private final SequencedMap<AwardRecordId, Note> unanswered = new LinkedHashMap<>();

    private boolean isOver;

    private ScheduledExecutorService looks = newThread();

    private record Note(CommandMessage<Command<?>> message, CommandGateway commands, long dueNanos) {}

    @Autowired
    Dispatches() {
        this(Thread::startVirtualThread, PATIENCE);
    }

    Dispatches(Executor threads, Duration patience) {
        super(UNDER_WAY_MAX, PER_CONVOY_MAX, AFTER_THE_PROCESSORS, threads);
        this.patienceNanos = patience.toNanos();
    }

    /** Once the current unit of work is committed: at once for what is on its way for days, else if nobody answers. */
    void note(AwardRecordId awardRecordId, AwardType type, CommandGateway commands) {
        if (type == AwardType.PHYSICAL) {
            sendAfterCommit(new ConfirmDispatch(awardRecordId), commands);
        } else {
            noteUnlessAnswered(awardRecordId, commands);
        }
    }

    private void noteUnlessAnswered(AwardRecordId awardRecordId, CommandGateway commands) {
        Note note = new Note(
                new GenericCommandMessage<>(new ConfirmDispatch(awardRecordId)),
                commands,
                System.nanoTime() + patienceNanos);
        CurrentUnitOfWork.get().root().afterCommit(committed -> await(awardRecordId, note));
    }

    private void await(AwardRecordId awardRecordId, Note note) {
        String why;
        synchronized (unanswered) {
            if (!isOver && unanswered.size() < UNANSWERED_MAX) {
                unanswered.putLast(awardRecordId, note);
                return;
            }
            why = isOver ? "the process stops" : "too many wait for an answer";
        }
        lost(note.message().getPayload().toString(), why);
    }

    /**
     * Something has happened to the award, which says more than the note would. What has happened stays so if the
     * current unit of work is rolled back; an invoice that it brings about is noted anew.
     */
    void forget(AwardRecordId awardRecordId) {
        synchronized (unanswered) {
            unanswered.remove(awardRecordId);
        }
    }

    /** Of those that were due before a time, oldest first. */
    private List<Note> takeDue(long nowNanos) {
        List<Note> due = new ArrayList<>();
        synchronized (unanswered) {
            Iterator<Note> notes = unanswered.values().iterator();
            while (notes.hasNext()) {
                Note next = notes.next();
                if (next.dueNanos() - nowNanos > 0) {
                    break;
                }
                notes.remove();
                due.add(next);
            }
        }
        return due;
    }

    private void sendDue(long nowNanos) {
        List<Note> due = takeDue(nowNanos);
        if (!due.isEmpty()) {
            // The gateway is the same for all.
            sendNow(due.stream().map(Note::message).toList(), due.getFirst().commands());
        }
    }

    private void look() {
        try {
            sendDue(System.nanoTime());
        } catch (RuntimeException | Error e) {
            LOG.warn("Some dispatches were not noted", e);
        }
    }

    private static ScheduledExecutorService newThread() {
        return Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name("dispatches").daemon().factory());
    }

    @Override
    public synchronized void start() {
        super.start();
        synchronized (unanswered) {
            isOver = false;
        }
        if (looks.isShutdown()) {
            looks = newThread();
        }
        var _ = looks.scheduleWithFixedDelay(
                this::look, BETWEEN_LOOKS.toNanos(), BETWEEN_LOOKS.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void configureModule(Configurer axon) {
        axon.onShutdown(BEFORE_COMMANDS_END, this::finish);
    }

    /**
     * What has been waited for goes now, since another process does not know of it. The processors have stopped, and
     * commands are still handled.
     */
    void finish() {
        endLooks();
        synchronized (unanswered) {
            isOver = true;
        }
        sendDue(System.nanoTime() + patienceNanos);
        awaitAnswers();
    }

    private synchronized void endLooks() {
        looks.shutdown();
        try {
            if (!looks.awaitTermination(COURIERS_WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("dispatches are noted although that was to end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void stop() {
        endLooks();
        super.stop();
    }

    @Override
    protected void answered(Command<?> command, Answer<?> answer) {
        switch (answer) {
            case Answer.Done<?> _ -> {}
            case Answer.No<?> no -> lost(command.toString(), no.refused());
        }
    }

    @Override
    protected void lost(String which, Object why) {
        LOG.warn("It is not noted that invoices have left: {}: {}", which, String.valueOf(why));
    }
}
