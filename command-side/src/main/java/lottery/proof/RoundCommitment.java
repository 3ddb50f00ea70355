package lottery.proof;

import org.jspecify.annotations.Nullable;

/**
 * What everybody may know of the seed of a round.
 *
 * @param round which start of the activity, counted from 1
 * @param commitment the SHA-256 of the seed's 32 bytes, said when the round began
 * @param seed none before the round is over
 */
record RoundCommitment(
        int round, String commitment, @Nullable String seed) {

    RoundCommitment with(String published) {
        return new RoundCommitment(round, commitment, published);
    }
}
