package lottery.bench.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import lottery.bench.load.HttpConnection.HttpReply;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends a burst of requests for draws that may wait in the queue, and measures how fast they are accepted and drawn.
 * Each request is sent until it is accepted. Then all have to be drawn, and one order in a hundred is read. In turns
 * with such bursts, it can send bursts of immediate draws and of empty requests.
 */
final class QueueBurst {

    private static final Duration ANSWER_MAX = Duration.ofSeconds(60);
    private static final Duration ACCEPTED_MAX = Duration.ofMinutes(15);
    private static final Duration DRAWN_MAX = Duration.ofMinutes(15);
    private static final Duration LOOK = Duration.ofMillis(250);
    private static final Duration SETTLED = Duration.ofSeconds(5);
    private static final Duration BUSY_PAUSE_MAX = Duration.ofMillis(200);

    /** How many bursts precede the measured one. Each is a fifth as large, and gives the compiler time to warm up. */
    private static final int WARM_UP_BURSTS = 3;

    private static final int WARM_UP_SHARE = 5;
    private static final int READ_ONE_IN = 100;

    private static final String ENDED = "lottery_queue_ended_total";
    private static final String METRICS = "/actuator/prometheus?includedNames=lottery_queue_ended," + ENDED;

    /** The kind of requests in a burst, with the status of a good answer. */
    private enum RequestKind {
        WAITING(202),
        AT_ONCE(201),
        /** A request for which the lottery does nothing: what HTTP alone costs on this machine. */
        NOTHING(200);

        private final int answer;

        RequestKind(int answer) {
            this.answer = answer;
        }
    }

    private final LoadOptions options;
    private final LoadActivity activity;
    private final AtomicLong numbers = new AtomicLong();

    QueueBurst(LoadOptions options, LoadActivity activity) {
        this.options = options;
        this.activity = activity;
    }

    /**
     * The result of a burst, in which several clients send requests for draws as fast as they are answered.
     *
     * @param drawnMeanwhile how many requests were drawn before the last one was accepted
     * @param drawsPerSecond the rate of draws after the last request was accepted
     * @param ratio {@code acceptedPerSecond} divided by {@code drawsPerSecond}
     * @param busy how often a request was answered 503 and sent again
     * @param wrong what should not have happened: answers that no client should get, and orders that were not drawn
     */
    record Burst(
            int requests,
            int clients,
            double acceptedSeconds,
            double acceptedPerSecond,
            double acceptedP50Ms,
            double acceptedP99Ms,
            long drawnMeanwhile,
            double drawnSeconds,
            double drawsPerSecond,
            double ratio,
            long busy,
            List<String> wrong) {}

    /**
     * A burst of requests that wait, followed by bursts of as many immediate draws, and of as many empty requests.
     *
     * @param answered the rate of answers to requests that wait, divided by the rate of immediate draws
     * @param drawn the rate of draws of waiting requests, from the first request to the last draw, divided by the rate
     *     of immediate draws
     * @param nothing the rate of answers to empty requests, divided by the rate of immediate draws
     */
    record BurstTurn(Burst waiting, Burst atOnce, Burst empty, double answered, double drawn, double nothing) {

        static BurstTurn of(Burst waiting, Burst atOnce, Burst empty) {
            double draws = atOnce.acceptedPerSecond();
            return new BurstTurn(
                    waiting,
                    atOnce,
                    empty,
                    waiting.acceptedPerSecond() / draws,
                    waiting.requests() / waiting.drawnSeconds() / draws,
                    empty.acceptedPerSecond() / draws);
        }
    }

    /** The statistics of a ratio over several turns. */
    record Ratio(double median, double min, double max) {

        static Ratio of(List<BurstTurn> turns, ToDoubleFunction<BurstTurn> of) {
            List<Double> sorted = turns.stream().map(of::applyAsDouble).sorted().toList();
            return new Ratio(sorted.get(sorted.size() / 2), sorted.getFirst(), sorted.getLast());
        }

        @Override
        public String toString() {
            return "%.2f (%.2f to %.2f)".formatted(median, min, max);
        }
    }

    /**
     * The result of one burst of requests that wait, or of several turns. Each turn is three bursts: one of requests
     * that wait, one of immediate draws, and one of empty requests.
     *
     * @param turns the turns; empty if there was only one burst
     */
    record BurstResult(
            @Nullable Burst burst,
            List<BurstTurn> turns,
            @Nullable Ratio answered,
            @Nullable Ratio drawn,
            @Nullable Ratio nothing) {

        boolean isSound() {
            return Stream.concat(
                            Stream.ofNullable(burst),
                            turns.stream().flatMap(turn -> Stream.of(turn.waiting(), turn.atOnce(), turn.empty())))
                    .allMatch(each -> each.wrong().isEmpty());
        }
    }

    BurstResult measure() throws IOException, InterruptedException {
        for (int i = 0; i < WARM_UP_BURSTS; i++) {
            report("warm-up", burst(options.burst() / WARM_UP_SHARE, RequestKind.WAITING));
        }
        if (options.turns() == 0) {
            Burst burst = burst(options.burst(), RequestKind.WAITING);
            report("burst", burst);
            return new BurstResult(burst, List.of(), null, null, null);
        }
        return inTurns();
    }

    private BurstResult inTurns() throws IOException, InterruptedException {
        for (int i = 0; i < WARM_UP_BURSTS; i++) {
            report("warm-up at once", burst(options.burst() / WARM_UP_SHARE, RequestKind.AT_ONCE));
            report("warm-up of nothing", burst(options.burst() / WARM_UP_SHARE, RequestKind.NOTHING));
        }
        List<BurstTurn> turns = new ArrayList<>();
        for (int i = 0; i < options.turns(); i++) {
            Burst waiting = burst(options.burst(), RequestKind.WAITING);
            report("waiting", waiting);
            Burst atOnce = burst(options.burst(), RequestKind.AT_ONCE);
            report("at once", atOnce);
            Burst nothing = burst(options.burst(), RequestKind.NOTHING);
            report("nothing", nothing);
            turns.add(BurstTurn.of(waiting, atOnce, nothing));
        }
        Ratio answered = Ratio.of(turns, BurstTurn::answered);
        Ratio drawn = Ratio.of(turns, BurstTurn::drawn);
        Ratio nothing = Ratio.of(turns, BurstTurn::nothing);
        System.out.printf("to draws at once: answered %s, drawn %s, nothing %s%n", answered, drawn, nothing);
        return new BurstResult(null, turns, answered, drawn, nothing);
    }

    private static void report(String what, Burst burst) {
        System.out.printf(
                "%s: %,d requests of %,d clients accepted in %.1f s, %,.0f a second, p50 %.0f, p99 %.0f ms, busy %,d;%n"
                        + "  %,d drawn meanwhile, all drawn after %.1f s, at the end %,.0f draws a second; ratio %.1f%s%n",
                what,
                burst.requests(),
                burst.clients(),
                burst.acceptedSeconds(),
                burst.acceptedPerSecond(),
                burst.acceptedP50Ms(),
                burst.acceptedP99Ms(),
                burst.busy(),
                burst.drawnMeanwhile(),
                burst.drawnSeconds(),
                burst.drawsPerSecond(),
                burst.ratio(),
                burst.wrong().isEmpty() ? "" : "; WRONG: " + burst.wrong());
    }

    private Burst burst(int requests, RequestKind kind) throws IOException, InterruptedException {
        Histogram micros = new ConcurrentHistogram(3);
        Collection<String> wrong = new ConcurrentLinkedQueue<>();
        Collection<String> sample = new ConcurrentLinkedQueue<>();
        LongAdder busy = new LongAdder();
        long first = numbers.getAndAdd(requests);
        AtomicLong next = new AtomicLong(first);
        long endedBefore = ended();
        long begin = System.nanoTime();
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < options.connections(); i++) {
            clients.add(Thread.ofVirtual().start(() -> ask(kind, next, first + requests, micros, busy, wrong, sample)));
        }
        for (Thread client : clients) {
            client.join(ACCEPTED_MAX);
        }
        double accepted = secondsSince(begin);
        long waiting = kind == RequestKind.WAITING ? requests : 0;
        long meanwhile = requests - waiting + ended() - endedBefore;
        long quiet = System.nanoTime();
        awaitDrawn(endedBefore + waiting);
        double drawing = secondsSince(quiet);
        read(sample, wrong);
        // A request that was drawn twice has counted twice by now.
        long drawn = ended() - endedBefore;
        if (drawn != waiting) {
            wrong.add("%,d were drawn or refused after they had waited".formatted(drawn));
        }
        double acceptedPerSecond = requests / accepted;
        double drawsPerSecond = kind == RequestKind.WAITING ? (requests - meanwhile) / drawing : acceptedPerSecond;
        return new Burst(
                requests,
                options.connections(),
                accepted,
                acceptedPerSecond,
                micros.getValueAtPercentile(50) / 1e3,
                micros.getValueAtPercentile(99) / 1e3,
                meanwhile,
                kind == RequestKind.WAITING ? accepted + drawing : accepted,
                drawsPerSecond,
                acceptedPerSecond / drawsPerSecond,
                busy.sum(),
                wrong.stream().distinct().limit(10).toList());
    }

    private void ask(
            RequestKind kind,
            AtomicLong next,
            long end,
            Histogram micros,
            LongAdder busy,
            Collection<String> wrong,
            Collection<String> sample) {
        try (HttpConnection connection = HttpConnection.open(options.url(), ANSWER_MAX)) {
            for (long number = next.getAndIncrement(); number < end; number = next.getAndIncrement()) {
                byte[] request = request(kind, number);
                long begin = System.nanoTime();
                HttpReply reply = connection.ask(request);
                while (reply.status() == 503) {
                    busy.increment();
                    LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(BUSY_PAUSE_MAX.toNanos()));
                    reply = connection.ask(request);
                }
                micros.recordValue((System.nanoTime() - begin) / 1_000);
                if (reply.status() != kind.answer) {
                    wrong.add(reply.name());
                } else if (kind != RequestKind.NOTHING && number % READ_ONE_IN == 0) {
                    sample.add(JsonMapper.shared()
                            .readTree(reply.text())
                            .path("orderId")
                            .asString());
                }
            }
        } catch (IOException | RuntimeException e) {
            wrong.add("no answer: " + e);
        }
    }

    private byte[] request(RequestKind kind, long number) {
        return switch (kind) {
            case WAITING -> activity.queued(number, number);
            case AT_ONCE -> activity.draw(number, number);
            case NOTHING -> HttpConnection.get(options.url(), "/livez");
        };
    }

    /** Waits until this number of requests was drawn or refused. */
    private void awaitDrawn(long all) throws IOException {
        long end = System.nanoTime() + DRAWN_MAX.toNanos();
        while (ended() < all && System.nanoTime() < end) {
            LockSupport.parkNanos(LOOK.toNanos());
        }
    }

    private void read(Collection<String> sample, Collection<String> wrong) throws IOException {
        LockSupport.parkNanos(SETTLED.toNanos());
        try (HttpConnection connection = HttpConnection.open(options.url(), ANSWER_MAX)) {
            for (String order : sample) {
                HttpReply reply = connection.ask(HttpConnection.get(options.url(), "/api/v1/raffle-orders/" + order));
                if (!reply.text().contains("\"state\":\"USED\"")) {
                    wrong.add(reply.text());
                }
            }
        }
    }

    /** Returns how many requests this lottery has drawn or refused. */
    private long ended() throws IOException {
        try (HttpConnection connection = HttpConnection.open(options.management(), ANSWER_MAX)) {
            return endedIn(connection
                            .ask(HttpConnection.get(options.management(), METRICS))
                            .text())
                    .orElse(0);
        }
    }

    static OptionalLong endedIn(String metrics) {
        return metrics.lines()
                .filter(line -> line.startsWith(ENDED))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .reduce(Long::sum);
    }

    private static double secondsSince(long begin) {
        return (System.nanoTime() - begin) / 1e9;
    }

    static void write(Path folder, BurstResult result) throws IOException {
        Files.createDirectories(folder);
        Path file = folder.resolve("burst.json");
        Files.writeString(
                file,
                JsonMapper.builder().build().writerWithDefaultPrettyPrinter().writeValueAsString(result));
        System.out.println("Written to " + file);
    }
}
