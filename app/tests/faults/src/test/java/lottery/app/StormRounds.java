package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import lottery.app.LotteryProcess.Reply;
import lottery.app.StormSchedule.FaultKind;
import lottery.app.StormSchedule.ScheduledFault;

/**
 * Plays rounds of a storm: two processes are under load while faults of all kinds come at once. Each round prints its
 * seed. {@code -Dstorm.seed=} makes the same faults again, though not the same races. {@code -Dstorm.only=0,2} leaves
 * out all but these faults of the round.
 */
final class StormRounds {

    static final long SEED = Long.getLong("storm.seed", new Random().nextLong(1_000_000_000));
    private static final Set<Integer> ONLY = Pattern.compile(",")
            .splitAsStream(System.getProperty("storm.only", ""))
            .filter(place -> !place.isEmpty())
            .map(Integer::valueOf)
            .collect(Collectors.toSet());

    private static final int CALLERS = 24;
    private static final int PARTICIPATIONS_MAX = 100_000;
    private static final Duration CALLER_PAUSE = Duration.ofMillis(100);
    private static final Duration DESK_PAUSE = Duration.ofMillis(300);
    private static final Duration LOAD_BEFORE = Duration.ofSeconds(2);

    /** How long each process may take to accept a booking after the last fault. */
    private static final Duration ANSWER_MAX = Duration.ofSeconds(20);

    /** How long processors may take until they have handled all events and stored that they have. */
    private static final Duration HANDLED_MAX = Duration.ofSeconds(30);

    /** How long the replays that were requested in a round may take: each reads all that the trials have stored. */
    private static final Duration REPLAYED_MAX = Duration.ofMinutes(5);

    private static final long CONNECTIONS_USUAL =
            (long) StormSchedule.NODES * Servers.LOGS * LotteryProcess.CONNECTIONS_MAX;
    private static final Duration CONNECTIONS_USUAL_MAX = Duration.ofSeconds(60);

    /** A call to a process that is frozen or cut off is answered after the fault. */
    private static final Duration CALLERS_END_MAX = Duration.ofMinutes(2);

    private final Players players = new Players();
    private final Map<FaultKind, Integer> suffered = new TreeMap<>();
    private final List<Double> healed = new ArrayList<>();
    private int bookings;

    /** Plays this many rounds with two processes, which have the bug if there is one, and waits until all is sound. */
    void play(int rounds, Optional<PlantedBug> bug) throws Exception {
        long begunNanos = System.nanoTime();
        try (Storm storm = Storm.open(bug)) {
            for (int round = 0; round < rounds; round++) {
                StormSchedule all = StormSchedule.of(SEED + round);
                StormSchedule schedule = ONLY.isEmpty() ? all : all.only(ONLY);
                System.out.printf("storm: round %d of %d, %s%n", round + 1, rounds, schedule);
                try {
                    play(storm, schedule);
                } catch (Exception | AssertionError e) {
                    throw new AssertionError(schedule + ": " + e.getMessage(), e);
                }
                Duration taken = Duration.ofNanos(System.nanoTime() - begunNanos);
                System.out.printf(
                        "storm: round %d healed after %.1f s, %d answers kept; %d min left%n",
                        round + 1,
                        healed.getLast(),
                        players.promises(),
                        taken.dividedBy(round + 1)
                                .multipliedBy(rounds - round - 1)
                                .toMinutes());
            }
            StoredFacts.awaitSound();
        }
    }

    private void play(Storm storm, StormSchedule schedule) throws Exception {
        PlayedActivities played = players.open(storm.nodes().getFirst().lottery(), PARTICIPATIONS_MAX);
        AtomicBoolean ends = new AtomicBoolean();
        double healSeconds;
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
        try {
            for (int i = 0; i < CALLERS; i++) {
                int caller = i;
                // Some users have a caller at each process.
                StormNode node = storm.nodes().get((caller + caller / Players.USERS) % StormSchedule.NODES);
                callers.execute(() -> players.play(
                        caller,
                        schedule.seed() + caller,
                        () -> played.at(node.lottery()),
                        () -> LockSupport.parkNanos(CALLER_PAUSE.toNanos()),
                        ends::get));
            }
            for (int i = 0; i < StormSchedule.NODES; i++) {
                int desk = i;
                callers.execute(() -> players.playDesk(
                        desk,
                        schedule.seed() - desk,
                        () -> played.at(storm.nodes().get(desk).lottery()),
                        () -> LockSupport.parkNanos(DESK_PAUSE.toNanos()),
                        ends::get));
            }
            LockSupport.parkNanos(LOAD_BEFORE.toNanos());
            storm.suffer(schedule);
            for (ScheduledFault fault : schedule.faults()) {
                suffered.merge(fault.kind(), 1, Integer::sum);
            }
            long calmNanos = System.nanoTime();
            for (StormNode node : storm.nodes()) {
                awaitAnswer(node, played);
            }
            ends.set(true);
            awaitHandled(calmNanos);
            healSeconds = (System.nanoTime() - calmNanos) / 1e9;
        } finally {
            ends.set(true);
            callers.shutdown();
        }
        assertThat(callers.awaitTermination(CALLERS_END_MAX.toSeconds(), TimeUnit.SECONDS))
                .as("all callers have their answers")
                .isTrue();
        await("the usual connections")
                .atMost(CONNECTIONS_USUAL_MAX)
                .untilAsserted(() ->
                        assertThat(StoredFacts.connections(StormNode.NAMES)).isLessThanOrEqualTo(CONNECTIONS_USUAL));
        for (StormNode node : storm.nodes()) {
            players.requirePromises(played.at(node.lottery()));
        }
        players.settle(played.at(storm.nodes().getFirst().lottery()));
        played.requireCodes();
        requireSameWithoutRedis(storm, played);
        StoredFacts.requireSoundInFlight();
        healed.add(healSeconds);
    }

    /** Requires that both processes show the same from Redis as from PostgreSQL, when nothing happens any more. */
    private static void requireSameWithoutRedis(Storm storm, PlayedActivities played) {
        await("no replay")
                .atMost(REPLAYED_MAX)
                .untilAsserted(() -> assertThat(StoredFacts.replays()).isEmpty());
        List<String> fromRedis;
        List<String> fromPostgres;
        long head;
        do {
            awaitHandled(System.nanoTime());
            head = StoredFacts.head();
            fromRedis = shown(storm, played);
            storm.flushRedis();
            fromPostgres = shown(storm, played);
        } while (head != StoredFacts.head());
        assertThat(fromRedis).isEqualTo(fromPostgres);
    }

    private static List<String> shown(Storm storm, PlayedActivities played) {
        List<String> texts = new ArrayList<>();
        for (StormNode node : storm.nodes()) {
            for (int user = 0; user < Players.USERS; user++) {
                String account = played.atOnce().account("user-" + user);
                texts.add(new Patience().ask(() -> node.lottery().get(account)).text());
                texts.add(new Patience()
                        .ask(() -> node.lottery().get(account + "/awards"))
                        .text());
            }
        }
        return texts;
    }

    private void awaitAnswer(StormNode node, PlayedActivities played) {
        await("a booking at a process after the last fault").atMost(ANSWER_MAX).untilAsserted(() -> {
            Reply reply = node.lottery()
                    .post(
                            "/api/v1/users/healed/credits/entries",
                            "{\"amount\": \"1\", \"businessNo\": \"storm-%d-%d\"}"
                                    .formatted(played.atOnce().id(), ++bookings));
            assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        });
    }

    private static void awaitHandled(long calmNanos) {
        await("no processor is behind")
                .atMost(HANDLED_MAX.minusNanos(System.nanoTime() - calmNanos))
                .pollInterval(Duration.ofMillis(100))
                .untilAsserted(() -> assertThat(StoredFacts.behind()).isZero());
    }

    /** Returns how many rounds have healed. */
    int healed() {
        return healed.size();
    }

    void tell() {
        List<Double> sorted = new ArrayList<>(healed);
        Collections.sort(sorted);
        System.out.printf(
                "storm: %d rounds, faults %s; healed after p50 %.1f s, p99 %.1f s, at most %.1f s; %s%n",
                healed.size(),
                suffered,
                sorted.get(sorted.size() / 2),
                sorted.get((sorted.size() * 99 - 1) / 100),
                sorted.getLast(),
                players.summary());
    }
}
