package lottery.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import lottery.bench.invariant.CheckMoment;
import lottery.bench.invariant.CheckedUserShare;
import lottery.bench.invariant.EventTableRow;
import lottery.bench.invariant.Invariant;
import lottery.bench.invariant.InvariantVerdict;
import lottery.bench.invariant.account.CreditInvariant;
import lottery.bench.invariant.account.EntitlementInvariant;
import lottery.bench.invariant.account.PaymentInvariant;
import lottery.bench.invariant.account.QuotaInvariant;
import lottery.bench.invariant.account.RebateInvariant;
import lottery.bench.invariant.account.RechargeInvariant;
import lottery.bench.invariant.account.SignInInvariant;
import lottery.bench.invariant.account.SkuLimitInvariant;
import lottery.bench.invariant.award.AwardGrantInvariant;
import lottery.bench.invariant.award.BudgetInvariant;
import lottery.bench.invariant.award.CounterBlockInvariant;
import lottery.bench.invariant.award.StockInvariant;
import lottery.bench.invariant.award.WinInvariant;
import lottery.bench.invariant.award.WinLimitInvariant;
import lottery.bench.invariant.draw.OutcomeInvariant;
import lottery.bench.invariant.draw.PoolInvariant;
import lottery.bench.invariant.draw.PriorDrawsInvariant;
import lottery.bench.invariant.draw.RoundCommitmentInvariant;
import lottery.bench.invariant.log.ClaimUniquenessInvariant;
import lottery.bench.invariant.log.EventNameInvariant;
import lottery.bench.invariant.log.PositionInvariant;
import lottery.bench.invariant.log.ProposalInvariant;
import lottery.bench.invariant.log.StreamSequenceInvariant;
import lottery.bench.invariant.log.UserShardInvariant;
import lottery.bench.invariant.readmodel.AccountReadModelFold;
import lottery.bench.invariant.readmodel.ActivityFigureReadModelFold;
import lottery.bench.invariant.readmodel.ActivityReadModelFold;
import lottery.bench.invariant.readmodel.AuditTrailReadModelFold;
import lottery.bench.invariant.readmodel.CreditReadModelFold;
import lottery.bench.invariant.readmodel.EntitlementReadModelFold;
import lottery.bench.invariant.readmodel.OddsReadModelFold;
import lottery.bench.invariant.readmodel.ProposalReadModelFold;
import lottery.bench.invariant.readmodel.ReadModelInvariant;
import lottery.bench.invariant.readmodel.RechargeReadModelFold;
import lottery.bench.invariant.readmodel.SignInReadModelFold;
import lottery.bench.invariant.readmodel.TradeReadModelFold;
import lottery.bench.invariant.readmodel.WinReadModelFold;
import lottery.bench.invariant.readmodel.WinnerReadModelFold;

/**
 * Checks all invariants. It reads the log once for each share of the users, with their accounts, orders and awards. One
 * more reading is for events that belong to no user, and for sums over all users. Memory holds the state of only one
 * reading at a time.
 */
final class InvariantRunner {

    /** The most shares into which the users can be divided. */
    static final int SHARES_MAX = CheckedUserShare.MOST;

    private static final long SAID_EVERY = 1_000_000;

    /** Receives the progress of the reading. */
    @FunctionalInterface
    interface ProgressListener {

        /**
         * Called regularly during a reading, and at the end of each reading.
         *
         * @param number the number of the reading, from 1 on
         * @param of the number of all readings
         * @param events how many events this reading has read
         */
        void read(int number, int of, long events);
    }

    private final Connection connection;
    private final CheckMoment moment;
    private final ProgressListener progress;
    private final int readings;
    private final EventNameInvariant names = new EventNameInvariant();
    private final Map<String, InvariantVerdict> verdicts = new LinkedHashMap<>();

    private InvariantRunner(Connection connection, CheckMoment moment, ProgressListener progress, int readings) {
        this.connection = connection;
        this.moment = moment;
        this.progress = progress;
        this.readings = readings;
    }

    /**
     * Checks the data that the connection shows. The connection has to show one snapshot.
     *
     * @param shares the number of shares into which the users are divided, {@link #SHARES_MAX} at most
     */
    static List<InvariantVerdict> check(
            Connection connection, CheckMoment moment, int shares, ProgressListener progress) throws SQLException {
        InvariantVerdict positions = PositionInvariant.check(connection);
        InvariantVerdict claims = ClaimUniquenessInvariant.check(connection);
        InvariantRunner invariants = new InvariantRunner(connection, moment, progress, shares + 1);
        for (CheckedUserShare share : CheckedUserShare.all(shares)) {
            invariants.read(share.number() + 1, EventTableRow.sql(share), invariants.of(share));
        }
        invariants.read(shares + 1, EventTableRow.SQL_OF_ALL, invariants.ofAll());
        List<InvariantVerdict> verdicts = new ArrayList<>(List.of(invariants.names.verdict(), positions, claims));
        verdicts.addAll(invariants.verdicts.values());
        boolean hasOneLog = PositionInvariant.logs(connection) == 1;
        verdicts.add(PoolInvariant.check(connection, moment, hasOneLog));
        if (!hasOneLog) {
            verdicts.add(CounterBlockInvariant.check(connection, moment));
        }
        return List.copyOf(verdicts);
    }

    private List<Invariant> of(CheckedUserShare share) throws SQLException {
        return List.of(
                new StreamSequenceInvariant(),
                new UserShardInvariant(),
                new OutcomeInvariant(),
                new QuotaInvariant(),
                new RechargeInvariant(),
                new PaymentInvariant(),
                new EntitlementInvariant(),
                new PriorDrawsInvariant(),
                new WinLimitInvariant(),
                new SkuLimitInvariant(),
                AwardGrantInvariant.read(connection),
                new WinInvariant(),
                CreditInvariant.read(connection, share),
                new ProposalInvariant(share),
                new RebateInvariant(),
                new SignInInvariant(),
                ReadModelInvariant.read(connection, new AccountReadModelFold(share)),
                ReadModelInvariant.read(connection, new WinReadModelFold(share)),
                ReadModelInvariant.read(connection, new CreditReadModelFold(share)),
                ReadModelInvariant.read(connection, new EntitlementReadModelFold(share)),
                ReadModelInvariant.read(connection, new TradeReadModelFold(share)),
                ReadModelInvariant.read(connection, new ProposalReadModelFold(share)),
                ReadModelInvariant.read(connection, new SignInReadModelFold(share)),
                ReadModelInvariant.read(connection, new RechargeReadModelFold(share)));
    }

    private List<Invariant> ofAll() throws SQLException {
        return List.of(
                new StreamSequenceInvariant(),
                new RoundCommitmentInvariant(),
                StockInvariant.read(connection),
                BudgetInvariant.read(connection),
                ReadModelInvariant.read(connection, new ActivityReadModelFold.ActivityRowFold()),
                ReadModelInvariant.read(connection, new ActivityReadModelFold.WheelRowFold()),
                ReadModelInvariant.read(connection, new AuditTrailReadModelFold()),
                ReadModelInvariant.read(connection, new WinnerReadModelFold()),
                ReadModelInvariant.read(connection, new OddsReadModelFold(parked("odds"))),
                ReadModelInvariant.read(connection, new ActivityFigureReadModelFold(parked("figures"))));
    }

    /**
     * Returns the positions of the events that a processor has parked. A row that combines many users lacks these
     * events, but has later events of other users. At rest the result is empty, because no event may be parked then.
     */
    private Set<Long> parked(String processor) throws SQLException {
        Set<Long> parked = new HashSet<>();
        if (moment == CheckMoment.IN_FLIGHT) {
            try (PreparedStatement statement =
                    connection.prepareStatement("SELECT position FROM parked_event WHERE processor = ?")) {
                statement.setString(1, processor);
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        parked.add(rows.getLong(1));
                    }
                }
            }
        }
        return parked;
    }

    private void read(int number, String sql, List<Invariant> invariants) throws SQLException {
        long read = 0;
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(EventTableRow.FETCH_ROWS);
            try (ResultSet rows = statement.executeQuery(sql)) {
                while (rows.next()) {
                    names.see(EventTableRow.of(rows), invariants);
                    read++;
                    if (read % SAID_EVERY == 0) {
                        progress.read(number, readings, read);
                    }
                }
            }
        }
        progress.read(number, readings, read);
        for (Invariant invariant : invariants) {
            InvariantVerdict verdict = invariant.verdict(moment);
            verdicts.merge(verdict.promise(), verdict, InvariantVerdict::and);
        }
    }
}
