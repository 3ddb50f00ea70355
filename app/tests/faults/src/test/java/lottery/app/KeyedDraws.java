package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import lottery.app.LotteryProcess.Reply;
import org.jspecify.annotations.Nullable;
import org.springframework.web.client.ResourceAccessException;

/** Draws of many users, each with a key of its own, and their answers: what the lottery has promised. */
final class KeyedDraws {

    private static final int USERS = 30;
    private static final int CALLERS = 8;
    private static final int REPEATED_MAX = 1_000;
    private static final Duration CALLER_PAUSE = Duration.ofMillis(200);
    private static final Duration SOON = Duration.ofSeconds(60);

    /** A request that is always answered in the same way. */
    record KeyedRequest(int number) {

        String user() {
            return "user-" + number % USERS;
        }

        String key() {
            return "draw-" + number;
        }
    }

    private final AtomicInteger keys = new AtomicInteger();
    private final AtomicInteger drawn = new AtomicInteger();
    private final Map<KeyedRequest, String> answers = new ConcurrentHashMap<>();
    private final Queue<KeyedRequest> unanswered = new ConcurrentLinkedQueue<>();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();

    static List<String> users() {
        return IntStream.range(0, USERS).mapToObj(user -> "user-" + user).toList();
    }

    /** Gives each user chances. */
    static void recharge(TrialActivity activity) {
        users().forEach(activity::recharge);
    }

    /** Returns how many requests were sent. */
    int sent() {
        return keys.get();
    }

    /** Returns how many draws were answered. */
    int drawn() {
        return drawn.get();
    }

    /** Returns how many requests have no answer yet, or were told to come again. */
    int unanswered() {
        return unanswered.size();
    }

    /** Returns the text with which each request was answered first. */
    Map<KeyedRequest, String> answers() {
        return answers;
    }

    void requireNothingWrong() {
        assertThat(wrong).isEmpty();
    }

    /** Repeats the newest thousand requests twice, and returns the answers, which are the same both times. */
    Map<KeyedRequest, String> repeated(TrialActivity activity) throws Exception {
        KeyedRequest[] some = answers.keySet().stream()
                .sorted(Comparator.comparingInt(KeyedRequest::number).reversed())
                .limit(REPEATED_MAX)
                .toArray(KeyedRequest[]::new);
        Patience patience = new Patience();
        Map<KeyedRequest, String> after = new ConcurrentHashMap<>();
        for (int time = 0; time < 2; time++) {
            Crowd.calls(some.length, CALLERS, i -> {
                Reply reply = patience.ask(() -> activity.draw(some[i].user(), some[i].key()));
                assertThat(reply.status()).as(reply.text()).isIn(200, 201);
                String earlier = after.putIfAbsent(some[i], reply.text());
                assertThat(earlier == null ? reply.text() : earlier).isEqualTo(reply.text());
                return i;
            });
        }
        return after;
    }

    /** Begins to draw at one process, until it is gone or the load is closed. */
    DrawLoad at(TrialActivity activity) {
        return new DrawLoad(activity, this::next);
    }

    /** Begins to repeat at one process what nobody has answered. */
    DrawLoad repeatedAt(TrialActivity activity) {
        return new DrawLoad(activity, unanswered::poll);
    }

    private KeyedRequest next() {
        return new KeyedRequest(keys.incrementAndGet());
    }

    /** Users who draw at one process. */
    final class DrawLoad implements AutoCloseable {

        private final TrialActivity activity;
        private final Supplier<@Nullable KeyedRequest> requests;
        private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        private volatile boolean ended;

        private DrawLoad(TrialActivity activity, Supplier<@Nullable KeyedRequest> requests) {
            this.activity = activity;
            this.requests = requests;
            for (int i = 0; i < CALLERS; i++) {
                threads.execute(this::draw);
            }
        }

        void awaitDraws(int more) {
            int wanted = drawn.get() + more;
            await("draws").atMost(SOON).until(() -> drawn.get() >= wanted);
        }

        private void draw() {
            while (!ended) {
                KeyedRequest request = requests.get();
                if (request != null) {
                    draw(request);
                }
                LockSupport.parkNanos(CALLER_PAUSE.toNanos());
            }
        }

        private void draw(KeyedRequest request) {
            try {
                Reply reply = activity.draw(request.user(), request.key());
                if (reply.status() == 201 || reply.status() == 200) {
                    answers.put(request, reply.text());
                    drawn.incrementAndGet();
                } else if (reply.status() == 503) {
                    unanswered.add(request);
                } else {
                    wrong.add(reply.text());
                }
            } catch (ResourceAccessException e) {
                unanswered.add(request); // Its process has ended, or took too long.
            } catch (RuntimeException | AssertionError e) {
                wrong.add(e.toString());
            }
        }

        /** Ends the load, and waits until all callers are answered. */
        @Override
        public void close() {
            ended = true;
            threads.shutdown();
            await("all callers are answered").atMost(SOON.multipliedBy(2)).until(threads::isTerminated);
        }
    }
}
