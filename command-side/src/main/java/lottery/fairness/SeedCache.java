package lottery.fairness;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;

/** Caches the opened seeds of rounds, so that a draw neither decrypts nor waits. */
public final class SeedCache {

    private static final long OPENED_MAX = 10_000;

    private final SeedCipher vault;
    private final LoadingCache<SeedRound, Seed> opened =
            Caffeine.newBuilder().maximumSize(OPENED_MAX).build(this::open);

    public SeedCache(SeedCipher vault) {
        this.vault = vault;
    }

    /** Returns the seed of this round, secret or not. */
    public Seed of(SeedRound round) {
        return opened.get(round);
    }

    /**
     * Returns the seed of a round. A published seed is read as it is, and needs no key. So old rounds can be verified
     * after their key is gone.
     */
    private Seed open(SeedRound round) {
        String published = round.seed();
        Seed seed = published == null ? vault.open(round) : Seed.of(published);
        if (!seed.commitment().equals(round.commitment())) {
            throw new SeedUnavailableException("the seed of " + round.name() + " is not the one that was committed to");
        }
        return seed;
    }
}
