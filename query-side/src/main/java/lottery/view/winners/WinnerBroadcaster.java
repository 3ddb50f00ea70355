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
import lottery.store.loop.BackgroundLoop;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends new winners to all subscribers of this process. A subscriber that comes back first gets the missed winners up
 * to a position, and then the new winners after it. Both are read from the same table, in the order of positions. So no
 * winner is missed or sent twice, whichever process has projected the winner.
 *
 * <p>One thread reads the table five times a second, as long as there are subscribers. New winners are encoded once for
 * all subscribers.
 */
@Component
class WinnerBroadcaster implements MeterBinder {

    /** The most subscribers, because each connection costs about 50 kB. */
    static final int LISTENERS_MAX = 4_000;

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);
    private static final int NEWS_PER_LOOK_MAX = 2_000;
    private static final int ENTRIES_MAX = 3;

    private final WinnerRowRepository rows;
    private final JsonMapper json;
    private final Set<WinnerSubscriber> listeners = new HashSet<>();

    /**
     * The position up to which all winners were sent to the subscribers, or are in their queues. It never goes back.
     */
    private long told;

    private boolean open = true;

    WinnerBroadcaster(WinnerRowRepository rows, JsonMapper json) {
        this.rows = rows;
        this.json = json;
    }

    @Bean
    BackgroundLoop winnerBroadcastLoop() {
        return new BackgroundLoop(
                "winner-broadcaster",
                BETWEEN_LOOKS,
                this::look,
                "New winners could not be read: {}. Subscribers see them later.");
    }

    /**
     * A subscriber, and the position from which it gets new winners.
     *
     * @param toldFrom the position after which all winners will be sent
     */
    record WinnerSubscription(WinnerSubscriber listener, long toldFrom) {}

    /**
     * Adds a subscriber; empty if there are too many subscribers.
     *
     * @param seen the position up to which the subscriber knows all winners, which may be ahead of this process
     */
    Optional<WinnerSubscription> enter(ActivityId activityId, long seen) {
        // The position is read before the lock is taken. Otherwise a database that does not answer would keep other
        // subscribers from leaving, which needs the lock, too.
        long last = rows.last();
        long known = Math.min(seen, last);
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

    private void catchUpTo(long seen) {
        while (toldUpTo() < seen) {
            List<WinnerRowRepository.ActivityWinner> news = rows.after(toldUpTo(), NEWS_PER_LOOK_MAX);
            if (news.isEmpty()) {
                return;
            }
            tell(news);
        }
    }

    /**
     * Adds a subscriber. If the subscriber has seen winners that were not sent in this process yet, it is not added,
     * because it would get them twice.
     */
    private synchronized Optional<WinnerSubscription> enterNow(ActivityId activityId, long known, long last) {
        if (listeners.isEmpty()) {
            told = Math.max(told, last);
        }
        if (!hasRoom() || told < known) {
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
    byte[] missed(WinnerSubscription place, long after) {
        ByteArrayOutputStream words = new ByteArrayOutputStream();
        rows.between(place.listener().activityId(), after, place.toldFrom())
                .forEach(winner -> words.writeBytes(words(winner)));
        return words.toByteArray();
    }

    private void look() {
        List<WinnerRowRepository.ActivityWinner> news =
                isAnybodyThere() ? rows.after(toldUpTo(), NEWS_PER_LOOK_MAX) : List.of();
        if (!news.isEmpty()) {
            tell(news);
        }
    }

    private synchronized boolean isAnybodyThere() {
        return !listeners.isEmpty();
    }

    private synchronized long toldUpTo() {
        return told;
    }

    /**
     * Sends the winners that were read. Some of them may be sent already, because other subscribers may have come and
     * caught up during the read. These are left out.
     */
    private synchronized void tell(List<WinnerRowRepository.ActivityWinner> news) {
        Map<Long, ByteArrayOutputStream> words = new HashMap<>();
        for (WinnerRowRepository.ActivityWinner row : news) {
            if (row.winner().position() > told) {
                words.computeIfAbsent(row.activityId(), _ -> new ByteArrayOutputStream())
                        .writeBytes(words(row.winner()));
            }
        }
        told = Math.max(told, news.getLast().winner().position());
        words.forEach((activityId, text) -> {
            byte[] bytes = text.toByteArray();
            listeners.removeIf(listener -> listener.activityId().value() == activityId && !listener.offer(bytes));
        });
    }

    private byte[] words(Winner winner) {
        return "id: %d\nevent: winner\ndata: %s\n\n"
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
