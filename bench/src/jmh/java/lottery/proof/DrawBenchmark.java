package lottery.proof;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ApprovedStrategy;
import lottery.api.activity.RoundCommitment;
import lottery.api.activity.RoundCommitment.CommittedStrategy;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyId;
import lottery.fairness.Seed;
import lottery.proof.DrawExportCodec.DrawLine;
import lottery.raffle.DrawTicket;
import lottery.rule.CompiledStrategy;
import lottery.rule.DrawDecision;
import lottery.rule.DrawSituation;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Measures a draw as it is made and as it is verified: ten awards without a limit, two of them locked. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class DrawBenchmark {

    private static final int ORDERS = 1 << 10;
    private static final ActivityId ACTIVITY = new ActivityId(1);

    private final Seed seed = Seed.of("0123456789abcdef".repeat(4));
    private final UserId ann = new UserId("ann");
    private final CompiledStrategy rules = CompiledStrategy.assemble(new StrategyId(1), 1, definition());
    private final DrawSituation situation = new DrawSituation(ann, 3, 1, Set.of());
    private final DrawVerifier verifier =
            new DrawVerifier(ACTIVITY, List.of(rules), List.of(round(seed.commitment(), seed.reveal())));
    private final List<RaffleOrderId> orders = new ArrayList<>();
    private final List<RaffleDrawn> drawn = new ArrayList<>();
    private final List<byte[]> lines = new ArrayList<>();
    private int next;

    private static RoundCommitment round(String commitment, String seed) {
        ApprovedStrategy approved = new ApprovedStrategy(1, "00".repeat(32));
        return new RoundCommitment(
                1,
                commitment,
                seed,
                List.of(new CommittedStrategy(
                        1, approved.hash(), RoundCommitment.of(ACTIVITY, 1, commitment, approved))));
    }

    public DrawBenchmark() {
        for (int i = 0; i < ORDERS; i++) {
            RaffleOrderId order = RaffleRequestIdentity.of(new AccountId(new ActivityId(1), ann), "key-" + i)
                    .id();
            orders.add(order);
            drawn.add(draw(order));
            lines.add(DrawExportCodec.bytes(new DrawLine(drawn.getLast())));
        }
    }

    private static StrategyDefinition definition() {
        List<AwardDefinition> awards = new ArrayList<>();
        for (int i = 1; i <= 10; i++) {
            awards.add(AwardDefinition.of(i, "Award " + i, AwardType.TEXT, new BigDecimal("0.0987"))
                    .lockedUntilDraws(i > 8 ? 2 : 0)
                    .build());
        }
        return StrategyDefinition.of(StrategyDefinition.Mode.SINGLE, awards, 1);
    }

    private RaffleDrawn draw(RaffleOrderId order) {
        DrawTicket ticket = DrawTicket.of(seed, order);
        DrawDecision decision = rules.decide(situation, ticket);
        return new RaffleDrawn(
                order,
                new ActivityId(1),
                ann,
                rules.strategyId(),
                1,
                1,
                3,
                1,
                List.of(),
                null,
                null,
                null,
                ticket.hex(),
                decision.outcome(),
                DrawVerifier.prize(decision),
                Instant.EPOCH);
    }

    private int next() {
        next = (next + 1) & (ORDERS - 1);
        return next;
    }

    /** Measures the way from the seed to the first number. */
    @Benchmark
    public long ticket() {
        return DrawTicket.of(seed, orders.get(next())).without(List.of()).below(1_000);
    }

    /** Measures the way from the seed to the award. */
    @Benchmark
    public DrawDecision decide() {
        return rules.decide(situation, DrawTicket.of(seed, orders.get(next())));
    }

    @Benchmark
    public List<Difference> verify() {
        return verifier.differences(drawn.get(next()));
    }

    /** Measures the parsing of one line of an export. */
    @Benchmark
    public Object read() {
        byte[] line = lines.get(next());
        return DrawExportCodec.line(line, 0, line.length);
    }
}
