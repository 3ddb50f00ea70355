package lottery.bench.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToDoubleFunction;
import lottery.bench.store.BareSqlPeakBenchmark;
import lottery.bench.store.BareSqlPeakBenchmark.PostgresWrites;
import tools.jackson.databind.json.JsonMapper;

/**
 * Measures bare SQL and the lottery in turns on the same PostgreSQL. The speed of a machine can vary by a factor of
 * four within hours. The ratio of the two rates varies less, and the ratio of the processor times least.
 */
final class SideBySideComparison {

    private static final Duration WINDOW = Duration.ofSeconds(10);
    private static final int WINDOWS_THAT_AGREE = 3;
    private static final int WINDOWS_MAX = 30;
    private static final double AGREEMENT = 0.05;

    private final LoadOptions options;
    private final LoadActivity activity;
    private final AtomicLong numbers = new AtomicLong();

    SideBySideComparison(LoadOptions options, LoadActivity activity) {
        this.options = options;
        this.activity = activity;
    }

    /**
     * One measurement of bare SQL, followed by one of the lottery.
     *
     * @param ratio the rate of the lottery divided by the rate of bare SQL
     * @param bareSqlCpuMicros the processor time of bare SQL and PostgreSQL per draw
     * @param lotteryCpuMicros the processor time of the lottery and its servers per draw, without the load tool
     * @param cpuRatio the processor time of the lottery divided by that of bare SQL
     * @param commits the transactions of PostgreSQL per draw of the lottery
     * @param walBytes the bytes of its write-ahead log per draw of the lottery
     */
    record ComparisonTurn(
            double bareSqlPerSecond,
            double lotteryPerSecond,
            double p99Ms,
            double ratio,
            double bareSqlCpuMicros,
            double lotteryCpuMicros,
            double cpuRatio,
            double commits,
            double walBytes) {}

    /** A figure of all turns: its median, and its least and largest value. */
    record TurnSpread(double median, double min, double max) {

        static TurnSpread of(List<ComparisonTurn> turns, ToDoubleFunction<ComparisonTurn> figure) {
            double[] sorted = turns.stream().mapToDouble(figure).sorted().toArray();
            return new TurnSpread(sorted[sorted.length / 2], sorted[0], sorted[sorted.length - 1]);
        }

        @Override
        public String toString() {
            return "%.3f (%.3f to %.3f)".formatted(median, min, max);
        }
    }

    /**
     * The result of all turns.
     *
     * @param warmUp draws per second in each window of the warm-up, until a few windows agreed
     * @param isSound whether all turns were without a fault
     */
    record ComparisonResult(
            String scenario,
            int connections,
            long secondsPerTurn,
            List<Double> warmUp,
            List<ComparisonTurn> turns,
            TurnSpread ratio,
            TurnSpread cpuRatio,
            boolean isSound) {}

    ComparisonResult measure() throws IOException, InterruptedException {
        try (BareSqlPeakBenchmark bareSql = AfterLoadTask.bareSql()) {
            List<Double> warmUp = warmUp();
            List<ComparisonTurn> turns = new ArrayList<>();
            boolean isSound = true;
            for (int i = 0; i < options.turns(); i++) {
                ProcessorTimeMeter bareCpu = ProcessorTimeMeter.ofThisAndPostgres();
                double bare = bareSql.drawsPerSecond(options.time());
                double bareMicros = microsEach(bareCpu, bare * options.time().toMillis() / 1_000.0);
                PostgresWrites before = bareSql.written();
                ProcessorTimeMeter lotteryCpu = ProcessorTimeMeter.ofOthers();
                LoadResult lottery = lottery(options.time());
                double lotteryMicros = microsEach(lotteryCpu, (double) lottery.done());
                PostgresWrites after = bareSql.written();
                ComparisonTurn turn = new ComparisonTurn(
                        bare,
                        lottery.donePerSecond(),
                        lottery.ms().p99(),
                        lottery.donePerSecond() / bare,
                        bareMicros,
                        lotteryMicros,
                        lotteryMicros / bareMicros,
                        (double) (after.commits() - before.commits()) / lottery.done(),
                        (double) (after.walBytes() - before.walBytes()) / lottery.done());
                System.out.printf(
                        "turn %d  bare SQL %,.0f, the lottery %,.0f a second with p99 %.0f ms: %.3f%n"
                                + "        %,.0f and %,.0f µs of processor time a draw: %.1f; %.2f commits, %,.0f bytes of WAL%n",
                        i + 1,
                        bare,
                        turn.lotteryPerSecond(),
                        turn.p99Ms(),
                        turn.ratio(),
                        bareMicros,
                        lotteryMicros,
                        turn.cpuRatio(),
                        turn.commits(),
                        turn.walBytes());
                turns.add(turn);
                isSound &= lottery.isSound();
            }
            TurnSpread ratio = TurnSpread.of(turns, ComparisonTurn::ratio);
            TurnSpread cpuRatio = TurnSpread.of(turns, ComparisonTurn::cpuRatio);
            System.out.printf(
                    "%s to bare SQL: %s; processor time: %s%n",
                    options.scenario().word(), ratio, cpuRatio);
            return new ComparisonResult(
                    options.scenario().word(),
                    options.connections(),
                    options.time().toSeconds(),
                    warmUp,
                    turns,
                    ratio,
                    cpuRatio,
                    isSound);
        } catch (SQLException e) {
            throw new IOException("bare SQL could not be measured: " + e.getMessage(), e);
        }
    }

    private static double microsEach(ProcessorTimeMeter meter, double draws) {
        return meter.taken().toNanos() / 1_000.0 / draws;
    }

    /**
     * Warms up until a few windows agree, because a fixed time would be too short on one machine and too long on
     * another.
     */
    private List<Double> warmUp() throws IOException, InterruptedException {
        List<Double> rates = new ArrayList<>();
        while (!agree(rates)) {
            if (rates.size() == WINDOWS_MAX) {
                System.out.println("The lottery is taken for warm, although its rate still changes.");
                return rates;
            }
            rates.add(lottery(WINDOW).donePerSecond());
            System.out.printf("warm-up  %,.0f draws a second%n", rates.getLast());
        }
        return rates;
    }

    static boolean agree(List<Double> rates) {
        if (rates.size() < WINDOWS_THAT_AGREE) {
            return false;
        }
        DoubleSummaryStatistics last = rates.subList(rates.size() - WINDOWS_THAT_AGREE, rates.size()).stream()
                .mapToDouble(Double::doubleValue)
                .summaryStatistics();
        return last.getMax() - last.getMin() <= AGREEMENT * last.getMax();
    }

    /** Measures the lottery, and waits until it is at rest, so that bare SQL has the machine for itself. */
    private LoadResult lottery(Duration time) throws IOException, InterruptedException {
        return new LoadRunner(options.only(time), activity, numbers).measure();
    }

    static void write(Path folder, ComparisonResult comparison) throws IOException {
        Files.createDirectories(folder);
        Path file = folder.resolve("turns.json");
        Files.writeString(
                file,
                JsonMapper.builder().build().writerWithDefaultPrettyPrinter().writeValueAsString(comparison));
        System.out.println("Written to " + file);
    }
}
