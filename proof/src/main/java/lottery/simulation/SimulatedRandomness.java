package lottery.simulation;

import java.util.Collection;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGenerator.SplittableGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Stream;
import lottery.rule.DrawRandomness;
import lottery.rule.RandomStream;

/**
 * The randomness of one run. It is good and fast, but not secret: the seed gives every number, so that a run can be
 * repeated.
 */
record SimulatedRandomness(RandomGenerator numbers) implements DrawRandomness, RandomStream {

    private static final RandomGeneratorFactory<SplittableGenerator> FAMILY =
            RandomGeneratorFactory.of("L64X128MixRandom");

    /**
     * Creates the randomness of each run. The numbers of a run depend only on the seed and on the number of the run,
     * and not on when the run is played.
     */
    static List<SimulatedRandomness> of(long seed, int runs) {
        SplittableGenerator root = FAMILY.create(seed);
        return Stream.generate(root::split)
                .limit(runs)
                .map(SimulatedRandomness::new)
                .toList();
    }

    /**
     * Returns this same sequence of numbers, whatever awards are left out. The same sequence is enough, because a
     * simulated draw need not be decided again with the same numbers.
     */
    @Override
    public RandomStream without(Collection<Integer> leftOut) {
        return this;
    }

    @Override
    public long below(long bound) {
        return numbers.nextLong(bound);
    }
}
