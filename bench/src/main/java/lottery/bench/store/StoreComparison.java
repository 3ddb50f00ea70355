package lottery.bench.store;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import lottery.bench.store.PostgresStatisticsReader.TableRows;
import lottery.bench.store.PostgresStatisticsReader.WriteStatistics;
import lottery.bench.store.StoreBenchmarkResult.VerifiedCount;
import lottery.bench.store.variant.AxonJdbcVariantStarter;
import lottery.bench.store.variant.AxonVariant;
import lottery.bench.store.variant.BareSqlStoreVariant;
import lottery.bench.store.variant.BenchmarkConnectionFactory;
import lottery.bench.store.variant.BenchmarkDraw;
import lottery.bench.store.variant.LotteryEventStoreVariantStarter;
import lottery.bench.store.variant.StoreVariant;
import lottery.bench.store.variant.StoreVariantKind;

/** Measures all contenders on one PostgreSQL, one after the other, in several rounds. */
final class StoreComparison implements AutoCloseable {

    private final Random chance = new Random(1);

    private static final int BARE_CONNECTIONS = 16;
    private static final int UNITS_PER_BATCH = 100;
    /** The number of connections of the contender with default settings, which is the default of Hikari. */
    private static final int STOCK_CONNECTIONS = 10;
    /**
     * The number of connections of the tuned contender. On two cores, this contender stores the most units with 16
     * connections: more than with 32 or 64. The disadvantage is that some callers wait too long for a connection, as
     * they also do with 32. With 64 connections no caller waits too long.
     */
    private static final int TUNED_CONNECTIONS = 16;

    private static final int SEED_CALLERS = 16;

    private final PostgresStatisticsReader server;
    private final Map<StoreVariantKind, StoreVariant> contenders = new EnumMap<>(StoreVariantKind.class);
    private final List<StoreRound> rounds = new ArrayList<>();

    private StoreComparison(PostgresStatisticsReader server) {
        this.server = server;
    }

    static StoreComparison start(BenchmarkConnectionFactory target, Set<StoreVariantKind> entries) throws SQLException {
        PostgresStatisticsReader server = new PostgresStatisticsReader(target);
        server.clear();
        StoreComparison contest = new StoreComparison(server);
        try {
            // The lottery's store comes first, because the tables for bare SQL are copies of its table.
            contest.enter(StoreVariantKind.OURS, target);
            for (StoreVariantKind entry : entries) {
                if (entry != StoreVariantKind.OURS) {
                    contest.enter(entry, target);
                }
            }
            return contest;
        } catch (SQLException | RuntimeException e) {
            contest.close();
            throw e;
        }
    }

    private void enter(StoreVariantKind entry, BenchmarkConnectionFactory target) throws SQLException {
        StoreVariant contender = switch (entry) {
            case BATCH -> BareSqlStoreVariant.start(entry, target, 1, UNITS_PER_BATCH);
            case BARE -> BareSqlStoreVariant.start(entry, target, BARE_CONNECTIONS, 1);
            case STOCK -> AxonJdbcVariantStarter.start(entry, target, STOCK_CONNECTIONS, "");
            case TUNED -> AxonJdbcVariantStarter.start(entry, target, TUNED_CONNECTIONS, "&reWriteBatchedInserts=true");
            case OURS -> LotteryEventStoreVariantStarter.start(target);
        };
        contenders.put(entry, contender);
        if (contender instanceof AxonVariant axon) {
            LoadGenerator.each(BenchmarkDraw.ACCOUNTS, SEED_CALLERS, axon::open);
        }
    }

    AxonVariant ours() {
        return (AxonVariant) contender(StoreVariantKind.OURS);
    }

    private StoreVariant contender(StoreVariantKind entry) {
        StoreVariant contender = contenders.get(entry);
        if (contender == null) {
            throw new IllegalStateException(entry + " does not take part");
        }
        return contender;
    }

    List<StoreRound> rounds() {
        return Collections.unmodifiableList(rounds);
    }

    void warmUp(Set<StoreVariantKind> entries, int callers, Duration time) throws SQLException {
        for (StoreVariantKind entry : entries) {
            StoreRound round = StoreRound.of(contender(entry), callers, time, server);
            System.out.println("warm-up  " + round);
        }
    }

    /**
     * Measures the given number of rounds, and returns a summary for each contender. From the second round on, the
     * order of the contenders is random.
     */
    WriteStatistics written() throws SQLException {
        return server.written();
    }

    List<StoreVariantSummary> compare(Set<StoreVariantKind> entries, int callers, int times, Duration time)
            throws SQLException {
        List<StoreVariantKind> order = new ArrayList<>(entries);
        Map<StoreVariantKind, List<StoreRound>> found = new EnumMap<>(StoreVariantKind.class);
        for (int i = 0; i < times; i++) {
            for (StoreVariantKind entry : order) {
                server.checkpoint();
                StoreRound round = StoreRound.of(contender(entry), callers, time, server);
                System.out.println("round %d  %s".formatted(i + 1, round));
                found.computeIfAbsent(entry, ignored -> new ArrayList<>()).add(round);
                rounds.add(round);
            }
            // The order is random, so that no contender always follows the same one and has to write its dirty pages
            // each time.
            Collections.shuffle(order, chance);
        }
        return found.values().stream().map(StoreVariantSummary::of).toList();
    }

    /**
     * Checks that each acknowledged event is stored exactly once, and that positions have no gaps where gaps are not
     * allowed.
     */
    List<VerifiedCount> verify() throws SQLException {
        List<VerifiedCount> verified = new ArrayList<>();
        for (StoreVariant contender : contenders.values()) {
            long expected = contender.storedUnits() * BenchmarkDraw.EVENTS + contender.otherEvents();
            TableRows rows = server.rows(contender.table());
            boolean sound =
                    rows.count() == expected && (rows.isWithoutHole() || contender.entry() != StoreVariantKind.OURS);
            verified.add(new VerifiedCount(contender.entry(), expected, rows.count(), rows.isWithoutHole(), sound));
        }
        return verified;
    }

    List<String> settings() throws SQLException {
        return server.settings();
    }

    @Override
    public void close() throws SQLException {
        contenders.values().forEach(StoreVariant::close);
        server.clear();
        server.close();
    }
}
