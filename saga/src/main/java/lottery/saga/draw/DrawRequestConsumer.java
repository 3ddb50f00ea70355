package lottery.saga.draw;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import lottery.api.account.AccountCommand.DrawQueued;
import lottery.messaging.CloudEventCodec;
import lottery.messaging.HandledOffsets;
import lottery.messaging.KafkaTopics;
import lottery.messaging.KeyedBatchProcessor;
import lottery.messaging.draw.QueuedDrawRequest;
import lottery.store.axon.HistoryReader;
import lottery.store.command.CommandFailedException;
import lottery.store.command.CommandSender;
import lottery.store.log.Log;
import lottery.store.log.Logs;
import lottery.store.pace.AdmissionControl;
import lottery.store.processing.FailureClassifier;
import lottery.store.trace.Actor;
import lottery.store.trace.TraceId;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.commandhandling.GenericCommandMessage;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.messaging.MetaData;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

/**
 * Draws the requests that wait in the queue. Requests of one activity are drawn in the order in which they were
 * accepted. The offset of a request is committed when its draw, or its refusal, is stored. A request may come twice. If
 * its draw or its refusal is already in the event log, it is not drawn again.
 *
 * <p>Draws begin no faster than the processors can follow, like draws over REST. A request that cannot be drawn now
 * delays those behind it, so that none is lost and none overtakes another.
 */
@Component
final class DrawRequestConsumer implements DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(DrawRequestConsumer.class);

    /** The number of activities that are drawn at the same time when requests are drawn one by one. */
    private static final int AT_ONCE_MAX = 8;

    /**
     * The number of requests in one commit. Each request locks the account of its user until all requests are stored.
     */
    private static final int PER_COMMIT_MAX = 100;

    /** How many requests are read together. Their results become visible when all of them are stored. */
    private static final int READ_AT_ONCE_MAX = 2 * PER_COMMIT_MAX;

    /** The number of draws in one commit. A draw has up to five events, and a commit takes a thousand. */
    private static final int DRAWS_PER_COMMIT_MAX = 150;

    /**
     * The time within which the draws of requests that were read together have to begin. After that the requests are
     * handled one by one, or read again. This time is far below five minutes: if a consumer does not poll for that
     * long, the broker treats it as dead.
     */
    private static final Duration BEGIN_MAX = Duration.ofSeconds(60);

    private final CommandSender commands;
    private final HistoryReader history;
    private final Logs logs;
    private final AdmissionControl admission;
    private final KeyedBatchProcessor processor;

    /**
     * Thrown if draws cannot begin in time, because the processors are behind, or because the draws before them were
     * slow. Its cause is a time-out, so that it counts as an outage, which ends by itself, and not as a failure of the
     * request.
     */
    private static final class TurnTimeoutException extends RuntimeException {

        private static final long serialVersionUID = 1;

        TurnTimeoutException() {
            super(new TimeoutException("there was no time to begin more draws"));
        }
    }

    DrawRequestConsumer(
            CommandSender commands,
            HistoryReader history,
            Logs logs,
            AdmissionControl admission,
            FailureClassifier failureClassifier) {
        this.commands = commands;
        this.history = history;
        this.logs = logs;
        this.admission = admission;
        this.processor = new KeyedBatchProcessor("queued-draw", AT_ONCE_MAX, failureClassifier);
    }

    @KafkaListener(
            topics = KafkaTopics.DRAW_REQUESTS,
            groupId = KafkaTopics.DRAW_REQUESTS_GROUP,
            batch = "true",
            containerPostProcessor = HandledOffsets.POST_PROCESSOR,
            properties = "max.poll.records=" + READ_AT_ONCE_MAX)
    void on(List<ConsumerRecord<String, byte[]>> messages) throws InterruptedException {
        processor.process(messages, this::take);
    }

    private void take(List<ConsumerRecord<String, byte[]>> messages) {
        long endNanos = System.nanoTime() + BEGIN_MAX.toNanos();
        // A commit writes to one log, so the requests of each log are drawn by themselves, in their order.
        Map<Log, List<CommandMessage<DrawQueued>>> requests = messages.stream()
                .map(DrawRequestConsumer::command)
                .collect(Collectors.groupingBy(
                        request -> logs.of(idOf(request)), LinkedHashMap::new, Collectors.toList()));
        requests.forEach((log, ofLog) -> log.run(() -> draw(ofLog, endNanos)));
    }

    private void draw(List<CommandMessage<DrawQueued>> requests, long endNanos) {
        if (requests.size() == 1) {
            drawOne(requests.getFirst(), endNanos);
        } else {
            groups(requests).forEach(group -> drawAll(group, endNanos));
        }
    }

    /** Divides requests into groups of one commit each, so that the events of a group fit into the commit. */
    private static List<List<CommandMessage<DrawQueued>>> groups(List<CommandMessage<DrawQueued>> requests) {
        List<List<CommandMessage<DrawQueued>>> groups = new ArrayList<>();
        List<CommandMessage<DrawQueued>> group = new ArrayList<>();
        for (CommandMessage<DrawQueued> request : requests) {
            if (!group.isEmpty()
                    && (group.size() == PER_COMMIT_MAX
                            || draws(group) + draws(List.of(request)) > DRAWS_PER_COMMIT_MAX)) {
                groups.add(group);
                group = new ArrayList<>();
            }
            group.add(request);
        }
        groups.add(group);
        return groups;
    }

    private static int draws(Collection<CommandMessage<DrawQueued>> requests) {
        return requests.stream().mapToInt(each -> each.getPayload().count()).sum();
    }

    private static CommandMessage<DrawQueued> command(ConsumerRecord<String, byte[]> message) {
        MetaData trace = CloudEventCodec.trace(message).map(TraceId::metaData).orElseGet(MetaData::emptyInstance);
        MetaData actor =
                QueuedDrawRequest.actorOf(message).map(Actor::ofCommand).orElseGet(MetaData::emptyInstance);
        return new GenericCommandMessage<>(QueuedDrawRequest.read(message).command(), trace.mergedWith(actor));
    }

    /**
     * Draws requests in one commit. If the commit fails, none of the requests is stored, and all are drawn one by one,
     * in the same order.
     */
    private void drawAll(List<CommandMessage<DrawQueued>> requests, long endNanos) {
        Map<String, CommandMessage<DrawQueued>> left = new LinkedHashMap<>();
        requests.forEach(each -> left.putIfAbsent(idOf(each), each));
        left.keySet().removeAll(stored(left.keySet()));
        if (!left.isEmpty()) {
            awaitTurn(draws(left.values()), endNanos);
            try {
                commands.sendAll(List.copyOf(left.values()));
            } catch (CommandFailedException failed) {
                LOG.debug("{} queued draws failed together. Each is tried again alone.", left.size(), failed);
                left.values().forEach(each -> drawOne(each, endNanos));
            }
        }
    }

    private void drawOne(CommandMessage<DrawQueued> request, long endNanos) {
        if (isStored(request)) {
            return;
        }
        awaitTurn(draws(List.of(request)), endNanos);
        try {
            commands.send(request);
        } catch (CommandFailedException failed) {
            if (failed.kind() != CommandFailedException.FailureKind.EXISTS || !isStored(request)) {
                throw failed.causeOrSelf();
            }
        }
    }

    private boolean isStored(CommandMessage<DrawQueued> request) {
        return !stored(Set.of(idOf(request))).isEmpty();
    }

    /** Returns those of the ids for which the event log already has an order, or an answer to the request. */
    private Set<String> stored(Collection<String> ids) {
        return history.eventsOf(ids).stream()
                .map(DomainEventMessage::getAggregateIdentifier)
                .collect(Collectors.toUnmodifiableSet());
    }

    private static String idOf(CommandMessage<DrawQueued> request) {
        return request.getPayload().orderId().text();
    }

    /**
     * Waits until admission control admits this number of draws. If that takes too long, it throws an exception, and
     * the requests are read again.
     */
    private void awaitTurn(int draws, long endNanos) {
        Duration left = Duration.ofNanos(endNanos - System.nanoTime());
        if (left.isNegative() || !admission.tryAdmit(left)) {
            if (Thread.currentThread().isInterrupted()) {
                throw new CancellationException("interrupted while requests waited for their turn");
            }
            throw new TurnTimeoutException();
        }
        if (draws > 1) {
            admission.charge(draws - 1);
        }
    }

    @Override
    public void destroy() {
        processor.close();
    }
}
