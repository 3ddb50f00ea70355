package lottery.rule;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import lottery.api.strategy.AwardDefinition;
import lottery.rule.DrawReason.NoneLeft;
import lottery.rule.DrawReason.Picked;
import lottery.rule.DrawReason.PickedNothing;
import org.jspecify.annotations.Nullable;

/** The awards that a pick chooses from, with their weights, and with the weight of picking no award. */
final class AwardPool {

    /**
     * The most tables that are kept, one for each set of sold-out awards. Awards sell out one after the other, so there
     * are about as many such sets as awards.
     */
    private static final int TABLES_MAX = 1_000;

    private static final int NONE_LEFT = -1;

    private final List<AwardDefinition> awards;
    private final List<AwardPick> picks;
    private final Set<Integer> awardIds = new HashSet<>();
    private final long[] weights;
    private final long ofAwards;
    private final long ofNothing;
    private final AliasTable odds;
    private final Map<Set<Integer>, AliasTable> oddsWithout = new ConcurrentHashMap<>();

    /**
     * The last argument of {@link #of}, and its result. A simulation passes the same set object in draw after draw,
     * until another award sells out. So only the object is compared. To compare the content at each draw would cost
     * many times as much as the draw itself.
     */
    private volatile @Nullable LastAnswer<Set<Integer>, SortedSet<Integer>> lastHere;

    private volatile @Nullable LastAnswer<SortedSet<Integer>, AliasTable> lastOdds;

    private record LastAnswer<K, V>(K asked, V answer) {

        @SuppressWarnings("ReferenceEquality") // Neither ever changes, so that contents need no comparison.
        boolean answers(K question) {
            return asked == question;
        }
    }

    private AwardPool(List<AwardDefinition> awards, long[] weights, long ofNothing) {
        this.awards = awards;
        this.weights = weights;
        this.ofNothing = ofNothing;
        this.ofAwards = LongStream.of(weights).sum();
        this.picks = awards.stream().map(AwardPick::of).toList();
        awards.forEach(award -> awardIds.add(award.awardId()));
        this.odds = AliasTable.of(LongStream.concat(LongStream.of(weights), LongStream.of(ofNothing))
                .toArray());
    }

    /** Builds a pool with every award at its rate. The remaining rate up to 1 picks nothing. */
    static AwardPool whole(List<AwardDefinition> awards) {
        List<BigDecimal> rates = rates(awards);
        long[] weights = AliasTable.weights(rates);
        return new AwardPool(
                awards,
                weights,
                AliasTable.whole(rates) - LongStream.of(weights).sum());
    }

    /** Builds a pool from which one award is always picked. */
    static AwardPool among(List<AwardDefinition> awards) {
        return new AwardPool(awards, AliasTable.weights(rates(awards)), 0);
    }

    private static List<BigDecimal> rates(List<AwardDefinition> awards) {
        return awards.stream().map(AwardDefinition::rate).toList();
    }

    /** Returns the ids of the given awards that are in this pool. The returned set is never changed afterwards. */
    SortedSet<Integer> of(Set<Integer> some) {
        LastAnswer<Set<Integer>, SortedSet<Integer>> last = lastHere;
        if (last != null && last.answers(some)) {
            return last.answer();
        }
        SortedSet<Integer> here = new TreeSet<>();
        for (Integer awardId : some) {
            if (awardIds.contains(awardId)) {
                here.add(awardId);
            }
        }
        SortedSet<Integer> answer = Collections.unmodifiableSortedSet(here);
        lastHere = new LastAnswer<>(some, answer);
        return answer;
    }

    /**
     * Picks one award. The remaining awards share the odds of the awards that are left out. The odds of picking nothing
     * do not change.
     */
    AwardPick pick(SortedSet<Integer> leftOut, RandomStream random, DrawReasonCollector reasonCollector) {
        int picked = leftOut.isEmpty() ? odds.pick(random) : pickWithout(leftOut, random);
        if (picked == awards.size()) {
            reasonCollector.note(PickedNothing::new);
            return AwardPick.NOTHING;
        }
        if (picked == NONE_LEFT) {
            reasonCollector.note(NoneLeft::new);
            return AwardPick.NONE_LEFT;
        }
        reasonCollector.note(() -> reason(picked, leftOut));
        return picks.get(picked);
    }

    private int pickWithout(SortedSet<Integer> leftOut, RandomStream random) {
        if (ofNothing > 0 && random.below(ofAwards + ofNothing) >= ofAwards) {
            return awards.size();
        }
        return leftOut.size() == awards.size() ? NONE_LEFT : without(leftOut).pick(random);
    }

    private AliasTable without(SortedSet<Integer> leftOut) {
        LastAnswer<SortedSet<Integer>, AliasTable> last = lastOdds;
        if (last != null && last.answers(leftOut)) {
            return last.answer();
        }
        AliasTable odds = tableWithout(leftOut);
        lastOdds = new LastAnswer<>(leftOut, odds);
        return odds;
    }

    private AliasTable tableWithout(SortedSet<Integer> leftOut) {
        AliasTable known = oddsWithout.get(leftOut);
        if (known == null) {
            if (oddsWithout.size() >= TABLES_MAX) {
                oddsWithout.clear();
            }
            known = AliasTable.of(weightsWithout(leftOut));
            oddsWithout.put(Set.copyOf(leftOut), known);
        }
        return known;
    }

    private long[] weightsWithout(SortedSet<Integer> leftOut) {
        long[] left = weights.clone();
        for (int i = 0; i < left.length; i++) {
            if (leftOut.contains(awards.get(i).awardId())) {
                left[i] = 0;
            }
        }
        return left;
    }

    private Picked reason(int picked, SortedSet<Integer> leftOut) {
        BigInteger weight = BigInteger.valueOf(weights[picked]).multiply(BigInteger.valueOf(ofAwards));
        BigInteger of = BigInteger.valueOf(
                        LongStream.of(weightsWithout(leftOut)).sum())
                .multiply(BigInteger.valueOf(ofAwards + ofNothing));
        BigInteger divisor = weight.gcd(of);
        return new Picked(awards.get(picked).awardId(), weight.divide(divisor), of.divide(divisor));
    }
}
