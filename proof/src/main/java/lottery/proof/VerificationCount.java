package lottery.proof;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import org.jspecify.annotations.Nullable;

/** Counts the draws that were verified, and keeps those with differences. It is not thread-safe. */
public final class VerificationCount {

    private final List<DifferingDraw> differing = new ArrayList<>();
    private final int keptMax;
    private long draws;
    private long differ;
    private long unseeded;
    private @Nullable PoolVerdict pool;

    /** @param keptMax how many draws with differences are kept; further ones are only counted */
    VerificationCount(int keptMax) {
        this.keptMax = keptMax;
    }

    /** @param hasSeed whether the seed of the draw's round is known */
    void add(RaffleDrawn drawn, boolean hasSeed, List<Difference> differences) {
        draws++;
        if (!hasSeed) {
            unseeded++;
        }
        if (!differences.isEmpty()) {
            differ++;
            if (differing.size() < keptMax) {
                differing.add(new DifferingDraw(drawn.orderId(), differences));
            }
        }
    }

    void add(VerificationCount other) {
        draws += other.draws;
        differ += other.differ;
        unseeded += other.unseeded;
        other.differing.stream().limit(keptMax - differing.size()).forEach(differing::add);
    }

    void pool(PoolVerdict verified) {
        pool = verified;
    }

    /** Returns the result for the activity's pool; empty if it has no pool. */
    public Optional<PoolVerdict> pool() {
        return Optional.ofNullable(pool);
    }

    public long draws() {
        return draws;
    }

    public long agreed() {
        return draws - differ;
    }

    /** Returns the draws whose ticket cannot be checked yet, because the seed of their round is secret. */
    public long unseeded() {
        return unseeded;
    }

    public List<DifferingDraw> differing() {
        return List.copyOf(differing);
    }
}
