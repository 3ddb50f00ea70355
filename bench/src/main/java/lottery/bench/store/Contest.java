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
import lottery.bench.store.Result.Verified;
import lottery.bench.store.Server.Rows;

/** All contenders on one PostgreSQL, one after the other and again. */
final class Contest implements AutoCloseable {

    private final Random chance = new Random(1);

    private static final int BARE_CONNECTIONS = 16;
    private static final int UNITS_PER_BATCH = 100;
    /** What Hikari has when nobody says anything. */
    private static final int STOCK_CONNECTIONS = 10;
    /** On two cores more units than with 32 or 64; with 64 nobody starves for want of a connection. */
    private static final int TUNED_CONNECTIONS = 16;

    private static final int SEED_CALLERS = 16;

    private final Server server;
    private final Map<Entry, Contender> contenders = new EnumMap<>(Entry.class);
    private final List<Round> rounds = new ArrayList<>();

    private Contest(Server server) {
        this.server = server;
    }

    static Contest start(Target target, Set<Entry> entries) throws SQLException {
        Server server = new Server(target);
        server.clear();
        Contest contest = new Contest(server);
        try {
            // First, because the bare tables are copies of its table.
            contest.enter(Entry.OURS, target);
            for (Entry entry : entries) {
                if (entry != Entry.OURS) {
                    contest.enter(entry, target);
                }
            }
            return contest;
        } catch (SQLException | RuntimeException e) {
            contest.close();
            throw e;
        }
    }

    private void enter(Entry entry, Target target) throws SQLException {
        Contender contender = switch (entry) {
            case BATCH -> Bare.start(entry, target, 1, UNITS_PER_BATCH);
            case BARE -> Bare.start(entry, target, BARE_CONNECTIONS, 1);
            case STOCK -> StockStore.start(entry, target, STOCK_CONNECTIONS, "");
            case TUNED -> StockStore.start(entry, target, TUNED_CONNECTIONS, "&reWriteBatchedInserts=true");
            case OURS -> OurStore.start(target);
        };
        contenders.put(entry, contender);
        if (contender instanceof Axon axon) {
            Load.each(Draw.ACCOUNTS, SEED_CALLERS, axon::open);
        }
    }

    Axon ours() {
        return (Axon) contender(Entry.OURS);
    }

    private Contender contender(Entry entry) {
        Contender contender = contenders.get(entry);
        if (contender == null) {
            throw new IllegalStateException(entry + " does not take part");
        }
        return contender;
    }

    List<Round> rounds() {
        return Collections.unmodifiableList(rounds);
    }

    void warmUp(Set<Entry> entries, int callers, Duration time) throws SQLException {
        for (Entry entry : entries) {
            Round round = Round.of(contender(entry), callers, time, server);
            System.out.println("warm-up  " + round);
        }
    }

    /** So many rounds, each of which begins with another contender. */
    List<Summary> compare(Set<Entry> entries, int callers, int times, Duration time) throws SQLException {
        List<Entry> order = new ArrayList<>(entries);
        Map<Entry, List<Round>> found = new EnumMap<>(Entry.class);
        for (int i = 0; i < times; i++) {
            for (Entry entry : order) {
                server.checkpoint();
                Round round = Round.of(contender(entry), callers, time, server);
                System.out.println("round %d  %s".formatted(i + 1, round));
                found.computeIfAbsent(entry, ignored -> new ArrayList<>()).add(round);
                rounds.add(round);
            }
            // Each round another one follows another one: nobody pays for the same predecessor's pages all the time.
            Collections.shuffle(order, chance);
        }
        return found.values().stream().map(Summary::of).toList();
    }

    /** Everything that was acknowledged is there, once; and where positions have to be without a hole, they are. */
    List<Verified> verify() throws SQLException {
        List<Verified> verified = new ArrayList<>();
        for (Contender contender : contenders.values()) {
            long expected = contender.storedUnits() * Draw.EVENTS + contender.otherEvents();
            Rows rows = server.rows(contender.table());
            boolean sound = rows.count() == expected && (rows.isWithoutHole() || contender.entry() != Entry.OURS);
            verified.add(new Verified(contender.entry(), expected, rows.count(), rows.isWithoutHole(), sound));
        }
        return verified;
    }

    List<String> settings() throws SQLException {
        return server.settings();
    }

    @Override
    public void close() throws SQLException {
        contenders.values().forEach(Contender::close);
        server.clear();
        server.close();
    }
}
