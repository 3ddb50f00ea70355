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
 * Chance for one run. It is good and fast, and no secret: who knows the seed knows every number, which is the use of it
 * here.
 */
record SimulatedRandomness(RandomGenerator numbers) implements DrawRandomness, RandomStream {

    private static final RandomGeneratorFactory<SplittableGenerator> FAMILY =
            RandomGeneratorFactory.of("L64X128MixRandom");

    /** One for each run. A run's numbers depend on the seed and its place, and not on when it is played. */
    static List<SimulatedRandomness> of(long seed, int runs) {
        SplittableGenerator root = FAMILY.create(seed);
        return Stream.generate(root::split)
                .limit(runs)
                .map(SimulatedRandomness::new)
                .toList();
    }

    /** The numbers simply go on: none of them is used twice, and nobody has to find them again. */
    @Override
    public RandomStream without(Collection<Integer> leftOut) {
        return this;
    }

    @Override
    public long below(long bound) {
        return numbers.nextLong(bound);
    }
}
