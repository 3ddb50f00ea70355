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
 * The randomness of one run. It is good and fast, and no secret: the seed gives every number, so that a run can be
 * repeated.
 */
record SimulatedRandomness(RandomGenerator numbers) implements DrawRandomness, RandomStream {

    private static final RandomGeneratorFactory<SplittableGenerator> FAMILY =
            RandomGeneratorFactory.of("L64X128MixRandom");

    /** Creates one for each run. A run's numbers depend on the seed and its position, and not on when it is played. */
    static List<SimulatedRandomness> of(long seed, int runs) {
        SplittableGenerator root = FAMILY.create(seed);
        return Stream.generate(root::split)
                .limit(runs)
                .map(SimulatedRandomness::new)
                .toList();
    }

    /** Continues the same sequence: no number is used twice, and a draw need not be decided again. */
    @Override
    public RandomStream without(Collection<Integer> leftOut) {
        return this;
    }

    @Override
    public long below(long bound) {
        return numbers.nextLong(bound);
    }
}
