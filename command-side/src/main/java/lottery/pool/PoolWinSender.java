package lottery.pool;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import lottery.api.award.AwardCommand.RecordPoolWin;
import lottery.api.award.AwardRecordId;
import lottery.store.command.CommandFailedException;
import lottery.store.command.CommandSender;
import lottery.store.commit.CounterExhaustedException;
import lottery.store.log.Log;
import lottery.store.log.Logs;
import lottery.store.trace.TraceId;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.commandhandling.GenericCommandMessage;
import org.axonframework.messaging.MetaData;
import org.springframework.stereotype.Component;

/**
 * Creates the records of wins in other logs than that of the pool, with one commit for each log. A win that has its
 * record changes nothing.
 */
@Component
class PoolWinSender {

    /** Each attempt may lease a block of one more award. */
    private static final int ATTEMPTS_MAX = 20;

    private static final Duration WAIT_MAX = Duration.ofSeconds(10);

    private final CommandSender commands;
    private final Logs logs;

    PoolWinSender(CommandSender commands, Logs logs) {
        this.commands = commands;
        this.logs = logs;
    }

    /** Returns whether a record is in another log than the current one. */
    boolean hold(AwardRecordId recordId) {
        return logs.of(recordId.text()) != logs.current();
    }

    /**
     * Creates the records, and waits for their commits.
     *
     * @throws IllegalStateException if a log does not answer in time; its records may be created nevertheless
     */
    void send(List<RecordPoolWin> wins) {
        MetaData trace = TraceId.current().map(TraceId::metaData).orElseGet(MetaData::emptyInstance);
        Map<Log, List<CommandMessage<RecordPoolWin>>> messages = wins.stream()
                .collect(Collectors.groupingBy(
                        win -> logs.of(win.awardRecordId().text()),
                        Collectors.mapping(win -> new GenericCommandMessage<>(win, trace), Collectors.toList())));
        messages.forEach(this::send);
    }

    /** Sends commands in one unit of work, again and again if the log has no block of an award yet. */
    private void sendAll(List<CommandMessage<RecordPoolWin>> messages) {
        for (int left = ATTEMPTS_MAX; ; left--) {
            try {
                var _ = commands.sendAll(messages);
                return;
            } catch (CommandFailedException failed) {
                if (left == 1 || !(failed.reason() instanceof CounterExhaustedException)) {
                    throw failed;
                }
            }
        }
    }

    /** Sends commands on a thread of its own, because this one is in the unit of work of the pool. */
    private void send(Log log, List<CommandMessage<RecordPoolWin>> messages) {
        try {
            CompletableFuture.runAsync(
                            () -> log.run(() -> sendAll(messages)),
                            work -> Thread.ofVirtual().name("pool-wins").start(work))
                    .get(WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("wins of %s have no records yet".formatted(log), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while wins got their records", e);
        }
    }
}
