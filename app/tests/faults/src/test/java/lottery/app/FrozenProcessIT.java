package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import lottery.app.LotteryProcess.Reply;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.web.client.ResourceAccessException;

/**
 * Tests two processes of which one stops to move, in the middle of its transactions and without an end of its
 * connections. By turns it is frozen itself, or its way to PostgreSQL carries nothing any more.
 *
 * <p>{@code -Dtrial.rounds=50} makes so many rounds.
 */
@Tag("turn-3")
@DisplayName("A process that is frozen or cut off in the middle of everything")
class FrozenProcessIT {

    private static final int ROUNDS = Integer.getInteger("trial.rounds", ProcessFault.values().length);

    private static final int USERS = 40;
    private static final int CALLERS_PER_PROCESS = 4;
    private static final Duration CALLER_PAUSE = Duration.ofMillis(10);

    /** The load before the fault, and after it at the process that is well. */
    private static final Duration LOAD = Duration.ofSeconds(3);

    /** How long it may take until another process has handled everything. */
    private static final Duration RECOVERY_MAX = Duration.ofSeconds(20);

    /** How much later a processor may store that it has nothing to do, and the time of a slow machine. */
    private static final Duration TOKEN_AGE_MAX = Duration.ofSeconds(5);

    private static final long CONNECTIONS_USUAL = 2L * Servers.LOGS * LotteryProcess.CONNECTIONS_MAX;
    private static final Duration CONNECTIONS_USUAL_MAX = Duration.ofSeconds(60);
    private static final Duration SOON = Duration.ofSeconds(60);

    /** The time that a transaction gets to show whether the fault has come in its middle. */
    private static final Duration LOOK = Duration.ofMillis(30);

    /** The answers that are asked for again in the end. */
    private static final int PROMISES_ASKED = 200;

    private static final String NAMES = "frozen-trial-";

    /** Credits that have a time are booked by sagas, and not with their win. */
    private static final String RULES = """
            "mode": "SINGLE", "awards": [
              {"awardId": 1, "title": "Points", "type": "CREDIT", "amount": {"min": "0.01", "max": "8.88"}, "rate": "1",
               "sort": 1, "grant": {"timing": "SCHEDULED", "at": "2020-01-01T00:00:00Z"}}]""";

    private static final String CHANCES = """
            "skus": [{"sku": 1, "total": 100000, "month": 100000, "day": 100000}]""";

    private enum ProcessFault {
        FROZEN,
        CUT_OFF
    }

    /** A process with a way of its own to PostgreSQL. */
    private record LotteryNode(String name, LotteryProcess lottery, ServerLink link) implements AutoCloseable {

        static LotteryNode open(int number) throws IOException {
            ServerLink link = ServerLink.toPostgres();
            String name = NAMES + number;
            try {
                Map<String, String> environment = new HashMap<>(Servers.environmentOfTrial());
                environment.put("LOTTERY_POSTGRES_URL", link.postgresUrl(name));
                return new LotteryNode(name, LotteryProcess.open(environment), link);
            } catch (IOException | RuntimeException | AssertionError e) {
                link.close();
                throw e;
            }
        }

        void suffer(ProcessFault fault) throws IOException {
            switch (fault) {
                case FROZEN -> lottery.freeze();
                case CUT_OFF -> link.stop();
            }
        }

        void recover() throws IOException {
            link.goOn();
            lottery.goOn();
        }

        @Override
        public void close() throws IOException {
            recover();
            lottery.close();
            link.close();
        }
    }

    /** A request that is always answered in the same way. */
    private record KeyedRequest(String user, String key) {}

    private final AtomicInteger keys = new AtomicInteger();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final Map<KeyedRequest, String> promised = new ConcurrentHashMap<>();

    @Test
    @DisplayName("The other process takes over within 20 s, and the one that comes back does no harm")
    void takenOver() throws Exception {
        List<LotteryNode> nodes = Crowd.calls(2, 2, LotteryNode::open);
        try {
            TrialActivity activity = TrialActivity.open(nodes.getFirst().lottery(), RULES, CHANCES);
            for (int user = 0; user < USERS; user++) {
                activity.recharge("user-" + user);
            }
            for (int round = 0; round < ROUNDS; round++) {
                play(ProcessFault.values()[round % ProcessFault.values().length], nodes, activity);
            }
            assertThat(wrong).isEmpty();
            requirePromises(activity.at(nodes.getFirst().lottery()));
            StoredFacts.awaitSound();
            requireWorksAlone(nodes, activity);
        } finally {
            for (LotteryNode node : nodes) {
                node.close();
            }
        }
    }

    private void play(ProcessFault fault, List<LotteryNode> nodes, TrialActivity activity) throws Exception {
        LotteryNode holder = nodes.stream()
                .filter(node -> node.lottery().number() == StoredFacts.ownerOf("grants"))
                .findAny()
                .orElseThrow();
        LotteryNode other = nodes.get(1 - nodes.indexOf(holder));
        TrialActivity survivor = activity.at(other.lottery());
        AtomicInteger draws = new AtomicInteger();
        DrawLoad load = new DrawLoad(activity, draws);
        try {
            load.begin(nodes);
            LockSupport.parkNanos(LOAD.toNanos());
            Set<String> held = sufferInTransaction(fault, holder);
            long begunNanos = System.nanoTime();
            LockSupport.parkNanos(LOAD.toNanos());
            load.endAt(other);
            await("%s: the other process grants what %s had to (%s)".formatted(fault, holder.name(), held))
                    .atMost(RECOVERY_MAX.minusNanos(System.nanoTime() - begunNanos))
                    .pollInterval(Duration.ofMillis(100))
                    .untilAsserted(() -> assertThat(ungranted(survivor)).isEmpty());
            double granted = (System.nanoTime() - begunNanos) / 1e9;
            await("%s: no processor is behind; %s had %s".formatted(fault, holder.name(), held))
                    .atMost(RECOVERY_MAX.plus(TOKEN_AGE_MAX).minusNanos(System.nanoTime() - begunNanos))
                    .pollInterval(Duration.ofMillis(100))
                    .untilAsserted(() -> assertThat(StoredFacts.behind()).isZero());
            double recovered = (System.nanoTime() - begunNanos) / 1e9;
            await("the usual connections")
                    .atMost(CONNECTIONS_USUAL_MAX.minusNanos(System.nanoTime() - begunNanos))
                    .untilAsserted(
                            () -> assertThat(StoredFacts.connections(NAMES)).isLessThanOrEqualTo(CONNECTIONS_USUAL));
            System.out.printf(
                    "frozen: %s, %d draws, all granted after %.1f s, nothing behind after %.1f s; %s had %s%n",
                    fault, draws.get(), granted, recovered, holder.name(), held);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(e.getMessage() + "\n" + StoredFacts.openTransactions(), e);
        } finally {
            holder.recover();
            load.end();
        }
        requireBack(holder, activity);
        if (fault == ProcessFault.FROZEN) {
            await("the process says that it stood still")
                    .atMost(SOON)
                    .until(() -> holder.lottery().output().contains("This process has stood still for "));
        }
    }

    /** Lets the fault come again and again, until it is in the middle of a transaction that has written something. */
    private static Set<String> sufferInTransaction(ProcessFault fault, LotteryNode node) {
        Set<String> held = new HashSet<>();
        await("a transaction in whose middle the fault comes")
                .atMost(SOON)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> {
                    held.clear();
                    held.addAll(StoredFacts.processorsOf(node.lottery().number()));
                    node.suffer(fault);
                    LockSupport.parkNanos(LOOK.toNanos());
                    if (StoredFacts.idleTransactions(node.name()) > 0) {
                        return true;
                    }
                    node.recover();
                    return false;
                });
        return held;
    }

    private static Set<String> ungranted(TrialActivity activity) {
        Set<String> won = new HashSet<>(StoredFacts.awardRecords(activity, "award.won"));
        won.removeAll(Set.copyOf(StoredFacts.awardRecords(activity, "award.granted")));
        return won;
    }

    /** Requires that a process that has come back draws as before. */
    private void requireBack(LotteryNode node, TrialActivity activity) {
        TrialActivity back = activity.at(node.lottery());
        await("%s draws again".formatted(node.name())).atMost(SOON).untilAsserted(() -> {
            Reply reply = back.draw("user-0", "back-" + keys.incrementAndGet());
            assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        });
    }

    private void requirePromises(TrialActivity activity) {
        List<String> different = new ArrayList<>();
        promised.entrySet().stream().limit(PROMISES_ASKED).forEach(promise -> {
            KeyedRequest request = promise.getKey();
            String again = activity.draw(request.user(), request.key()).text();
            if (!again.equals(promise.getValue())) {
                different.add("%s: %s and then %s".formatted(request, promise.getValue(), again));
            }
        });
        assertThat(different).isEmpty();
    }

    /** Requires that a process that was frozen or cut off can still do all work alone, without a restart. */
    private void requireWorksAlone(List<LotteryNode> nodes, TrialActivity activity) {
        LotteryNode left = nodes.getFirst();
        nodes.getLast().lottery().close();
        requireBack(left, activity);
        await("all is handled by the process that is left").atMost(SOON).untilAsserted(() -> {
            assertThat(StoredFacts.behind()).isZero();
            assertThat(ungranted(activity)).isEmpty();
        });
    }

    /** Users who draw at all processes, each at one of them. */
    private final class DrawLoad {

        private final TrialActivity activity;
        private final AtomicInteger draws;
        private final Set<LotteryNode> ended = ConcurrentHashMap.newKeySet();
        private final List<LotteryNode> all = new ArrayList<>();
        private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

        DrawLoad(TrialActivity activity, AtomicInteger draws) {
            this.activity = activity;
            this.draws = draws;
        }

        void begin(List<LotteryNode> nodes) {
            all.addAll(nodes);
            for (LotteryNode node : nodes) {
                for (int i = 0; i < CALLERS_PER_PROCESS; i++) {
                    threads.execute(() -> draw(node));
                }
            }
        }

        void endAt(LotteryNode node) {
            ended.add(node);
        }

        void end() throws InterruptedException {
            ended.addAll(all);
            threads.shutdown();
            assertThat(threads.awaitTermination(SOON.toSeconds(), TimeUnit.SECONDS))
                    .as("all callers are answered")
                    .isTrue();
        }

        private void draw(LotteryNode node) {
            while (!ended.contains(node)) {
                int number = keys.incrementAndGet();
                String user = "user-" + number % USERS;
                String key = "draw-" + number;
                try {
                    Reply reply = activity.at(node.lottery()).draw(user, key);
                    if (reply.status() == 201) {
                        draws.incrementAndGet();
                        promised.put(new KeyedRequest(user, key), reply.text());
                    } else if (reply.status() != 503) {
                        wrong.add(reply.text());
                    }
                } catch (ResourceAccessException e) {
                    // No answer: the process was away.
                } catch (RuntimeException | AssertionError e) {
                    wrong.add(e.toString());
                }
                LockSupport.parkNanos(CALLER_PAUSE.toNanos());
            }
        }
    }
}
