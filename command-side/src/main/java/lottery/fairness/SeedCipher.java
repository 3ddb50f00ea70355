package lottery.fairness;

import java.security.SecureRandom;
import lottery.api.activity.ActivityId;
import lottery.store.vault.SecretCipher;
import lottery.store.vault.SecretUnavailableException;

/**
 * Encrypts seeds so that a reader of the store cannot predict draws. An encrypted seed can be opened only for the round
 * that it was encrypted for.
 */
public final class SeedCipher {

    private final SecretCipher vault;

    public SeedCipher(SecretCipher vault) {
        this.vault = vault;
    }

    public String seal(Seed seed, ActivityId activityId, int round, SecureRandom random) {
        return vault.seal(seed.bytes(), SeedRound.nameOf(activityId, round), random);
    }

    Seed open(SeedRound round) {
        try {
            return Seed.of(vault.open(round.sealedSeed(), round.name()));
        } catch (SecretUnavailableException lost) {
            throw new SeedUnavailableException("no seed: " + lost.getMessage(), lost);
        } catch (IllegalArgumentException noSeed) {
            throw new SeedUnavailableException("what was sealed for " + round.name() + " is no seed", noSeed);
        }
    }
}
