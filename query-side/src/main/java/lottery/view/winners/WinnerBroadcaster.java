package lottery.view.winners;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import lottery.api.activity.ActivityId;
import lottery.api.award.Winners.Winner;
import lottery.store.log.Log;
import lottery.store.log.Logs;
import lottery.store.loop.BackgroundLoop;
import lottery.view.winners.WinnerRowRepository.WinnerRow;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends new winners to all subscribers of this process. A subscriber that comes back first gets the missed winners up
 * to a position, and then the new winners after it. Both are read from the same table, in the order of positions. So no
 * winner is missed or sent twice, whichever process has projected the winner.
 *
 * <p>One thread for each log reads its table five times a second, as long as there are subscribers. New winners are
 * encoded once for all subscribers.
 */
@Component
class WinnerBroadcaster implements MeterBinder, SmartLifecycle {

    /** The most subscribers, because each connection costs about 50 kB. */
    static final int LISTENERS_MAX = 4_000;

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);
    private static final Duration END_MAX = Duration.ofSeconds(2);
    private static final int NEWS_PER_LOOK_MAX = 2_000;
    private static final int ENTRIES_MAX = 3;

    private final WinnerRowRepository rows;
    private final Logs logs;
    private final JsonMapper json;
    private final Set<WinnerSubscriber> listeners = new HashSet<>();

    /**
     * The positions up to which all winners were sent to the subscribers, or are in their queues. They never go back.
     */
    private WinnerPositions told;

    private boolean open = true;

    private List<BackgroundLoop> loops = List.of();

    WinnerBroadcaster(WinnerRowRepository rows, Logs logs, JsonMapper json) {
        this.rows = rows;
        this.logs = logs;
        this.json = json;
        this.told = WinnerPositions.none(logs.all().size());
    }

    @Override
    public synchronized void start() {
        loops = logs.all().stream()
                .map(log -> new BackgroundLoop(
                        "winner-broadcaster-" + log.name(),
                        BETWEEN_LOOKS,
                        () -> look(log),
                        "New winners could not be read: {}. Subscribers see them later."))
                .toList();
        loops.forEach(BackgroundLoop::start);
    }

    @Override
    public void stop() {
        BackgroundLoop.stopAll(loops, END_MAX);
        loops = List.of();
    }

    @Override
    public boolean isRunning() {
        return !loops.isEmpty();
    }

    /**
     * A subscriber, and the positions from which it gets new winners.
     *
     * @param toldFrom the positions after which all winners will be sent
     */
    record WinnerSubscription(WinnerSubscriber listener, WinnerPositions toldFrom) {}

    /**
     * Adds a subscriber; empty if there are too many, or if the first one comes while a log does not answer.
     *
     * @param seen the positions up to which the subscriber knows all winners, which may be ahead of this process
     */
    Optional<WinnerSubscription> enter(ActivityId activityId, WinnerPositions seen) {
        // The positions are read before the lock is taken. Otherwise a database that does not answer would keep other
        // subscribers from leaving, which needs the lock, too.
        Optional<WinnerPositions> newest = rows.last();
        if (newest.isEmpty() && !isAnybodyThere()) {
            return Optional.empty(); // It is unknown which winners of a log are new.
        }
        WinnerPositions last = newest.orElseGet(this::told);
        WinnerPositions known = last.min(seen);
        Optional<WinnerSubscription> place = Optional.empty();
        for (int attempt = 0; place.isEmpty() && hasRoom() && attempt < ENTRIES_MAX; attempt++) {
            // A subscriber that has seen less may have been added in the meantime. Then the winners up to {@code known}
            // must first be sent to it, and the attempt is repeated.
            if (isAnybodyThere()) {
                catchUpTo(known);
            }
            place = enterNow(activityId, known, last);
        }
        return place;
    }

    private synchronized boolean hasRoom() {
        return open && listeners.size() < LISTENERS_MAX;
    }

    private void catchUpTo(WinnerPositions seen) {
        for (Log log : logs.all()) {
            boolean isMissing = true;
            while (isMissing && told().of(log.number()) < seen.of(log.number())) {
                isMissing = tellNext(log);
            }
        }
    }

    /**
     * Adds a subscriber. If the subscriber has seen winners that were not sent in this process yet, it is not added,
     * because it would get them twice.
     */
    private synchronized Optional<WinnerSubscription> enterNow(
            ActivityId activityId, WinnerPositions known, WinnerPositions last) {
        if (listeners.isEmpty()) {
            told = told.max(last);
        }
        if (!hasRoom() || !told.reach(known)) {
            return Optional.empty();
        }
        WinnerSubscriber listener = new WinnerSubscriber(activityId);
        listeners.add(listener);
        return Optional.of(new WinnerSubscription(listener, told));
    }

    synchronized void leave(WinnerSubscriber listener) {
        listeners.remove(listener);
    }

    /** Returns the winners that a subscriber has missed. */
    byte[] missed(WinnerSubscription place, WinnerPositions after) {
        ByteArrayOutputStream words = new ByteArrayOutputStream();
        WinnerPositions upTo = after;
        for (WinnerRow row : rows.between(place.listener().activityId(), after, place.toldFrom())) {
            upTo = upTo.with(row.log(), row.position());
            words.writeBytes(words(row.winner(upTo)));
        }
        return words.toByteArray();
    }

    private void look(Log log) {
        if (isAnybodyThere()) {
            var _ = tellNext(log);
        }
    }

    /** Sends the next winners of a log, and returns whether there were any. */
    private boolean tellNext(Log log) {
        List<WinnerRow> news = rows.after(log, told().of(log.number()), NEWS_PER_LOOK_MAX);
        tell(news);
        return !news.isEmpty();
    }

    private synchronized boolean isAnybodyThere() {
        return !listeners.isEmpty();
    }

    private synchronized WinnerPositions told() {
        return told;
    }

    /**
     * Sends the winners that were read. Some of them may be sent already, because other subscribers may have come and
     * caught up during the read. These are left out.
     */
    private synchronized void tell(List<WinnerRow> news) {
        Map<Long, ByteArrayOutputStream> words = new HashMap<>();
        for (WinnerRow row : news) {
            if (row.position() > told.of(row.log())) {
                told = told.with(row.log(), row.position());
                words.computeIfAbsent(row.activityId(), _ -> new ByteArrayOutputStream())
                        .writeBytes(words(row.winner(told)));
            }
        }
        words.forEach((activityId, text) -> {
            byte[] bytes = text.toByteArray();
            listeners.removeIf(listener -> listener.activityId().value() == activityId && !listener.offer(bytes));
        });
    }

    private byte[] words(Winner winner) {
        return "id: %s\nevent: winner\ndata: %s\n\n"
                .formatted(winner.position(), json.writeValueAsString(winner))
                .getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("lottery.winners.listeners", this::count)
                .description("Who listens to the stream of winners at this process")
                .register(registry);
    }

    synchronized int count() {
        return listeners.size();
    }

    /**
     * Ends all streams when the process stops. This must happen before the server waits for the end of its requests,
     * because the requests of streams would not end. Subscribers continue on another node.
     */
    @EventListener
    synchronized void on(@SuppressWarnings("unused") ContextClosedEvent closing) {
        open = false;
        listeners.forEach(WinnerSubscriber::close);
        listeners.clear();
    }
}
