package lottery.proof;

import org.jspecify.annotations.Nullable;

/**
 * The public facts about the seed of a round.
 *
 * @param round the number of the activity's start, counted from 1
 * @param commitment the SHA-256 of the seed's 32 bytes, published when the round began
 * @param seed null until it is published
 */
record RoundCommitment(
        int round, String commitment, @Nullable String seed) {

    RoundCommitment with(String published) {
        return new RoundCommitment(round, commitment, published);
    }
}
