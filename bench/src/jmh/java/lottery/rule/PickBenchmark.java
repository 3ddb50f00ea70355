package lottery.rule;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import lottery.api.strategy.StrategyDefinition;
import lottery.tree.TreeWalker;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Measures the arithmetic of a decision alone: its numbers come from a generator that costs next to nothing. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PickBenchmark {

    @Param({"10", "200"})
    private int awards;

    private final CheapRandomStream chance = new CheapRandomStream();
    private AliasTable odds;
    private TreeWalker tree;

    /** A generator of numbers whose order does not matter. */
    private static final class CheapRandomStream implements RandomStream {

        private long state = 42;

        @Override
        public long below(long bound) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            return (state >>> 1) % bound;
        }
    }

    @Setup
    public void assemble() {
        odds = AliasTable.of(
                IntStream.rangeClosed(1, awards).mapToLong(i -> i * 1_000_003L).toArray());
        tree = TreeWalker.of(AwardTreeRules.of(StrategyDefinition.of(StrategyDefinition.Mode.SINGLE, List.of(), null)));
    }

    @Benchmark
    public int pick() {
        return odds.pick(chance);
    }

    /** Measures the tree that every strategy has without one of its own: lock, then stock. */
    @Benchmark
    public Object tree() {
        return tree.decide(
                matter -> matter.equals(AwardTreeRules.LOCK) ? AwardTreeRules.OPEN : AwardTreeRules.LEFT, step -> {});
    }
}
