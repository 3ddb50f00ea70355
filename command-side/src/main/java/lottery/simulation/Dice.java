package lottery.simulation;

import java.util.Collection;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGenerator.SplittableGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Stream;
import lottery.rule.Chance;
import lottery.rule.Lot;

/**
 * Chance for one run. It is good and fast, and no secret: who knows the seed knows every number, which is the use of it
 * here.
 */
record Dice(RandomGenerator numbers) implements Lot, Chance {

    private static final RandomGeneratorFactory<SplittableGenerator> FAMILY =
            RandomGeneratorFactory.of("L64X128MixRandom");

    /** One for each run. A run's numbers depend on the seed and its place, and not on when it is played. */
    static List<Dice> of(long seed, int runs) {
        SplittableGenerator root = FAMILY.create(seed);
        return Stream.generate(root::split).limit(runs).map(Dice::new).toList();
    }

    /** The numbers simply go on: none of them is used twice, and nobody has to find them again. */
    @Override
    public Chance without(Collection<Integer> leftOut) {
        return this;
    }

    @Override
    public long below(long bound) {
        return numbers.nextLong(bound);
    }
}
