package lottery.api.activity;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.stream.Stream;
import lottery.api.Sha256;
import lottery.api.activity.ActivityEvent.ActivityClosed;
import lottery.api.activity.ActivityEvent.ActivityCreated;
import lottery.api.activity.ActivityEvent.ActivityEdited;
import lottery.api.activity.ActivityEvent.ActivityOpened;
import lottery.api.activity.ActivityEvent.ActivityPassed;
import lottery.api.activity.ActivityEvent.ActivityPaused;
import lottery.api.activity.ActivityEvent.ActivityRefused;
import lottery.api.activity.ActivityEvent.ActivityResumed;
import lottery.api.activity.ActivityEvent.ActivityRevoked;
import lottery.api.activity.ActivityEvent.ActivityStarted;
import lottery.api.activity.ActivityEvent.ActivitySubmitted;
import lottery.api.activity.ActivityEvent.AwardHeld;
import lottery.api.activity.ActivityEvent.HeldAwardReleased;
import lottery.api.activity.ActivityEvent.SeedPublished;
import lottery.api.activity.ActivityEvent.StrategyAdopted;
import org.jspecify.annotations.Nullable;

/**
 * The public commitments of a round: to its seed, and to the versions of the strategy that it draws by.
 *
 * @param round the number of the round, which is the number of the activity's start, counted from 1
 * @param commitment the SHA-256 of the seed's 32 bytes, in hex, published when the round began
 * @param seed the seed of the round; null until it is published
 * @param strategies the committed versions in the order in which they came into force; a version may be in this list
 *     twice
 */
public record RoundCommitment(
        int round, String commitment, @Nullable String seed, List<CommittedStrategy> strategies) {

    /**
     * A version of the strategy that a round draws by.
     *
     * @param strategyHash the SHA-256 of the version's definition, in hex
     * @param roundCommitment the published value that binds seed, activity, round and version
     */
    public record CommittedStrategy(int strategyVersion, String strategyHash, String roundCommitment) {

        public CommittedStrategy {
            requireNonNull(strategyHash);
            requireNonNull(roundCommitment);
        }

        public ApprovedStrategy approved() {
            return new ApprovedStrategy(strategyVersion, strategyHash);
        }
    }

    public RoundCommitment {
        strategies = List.copyOf(strategies);
    }

    /**
     * Returns the value that binds a round and a version of the strategy. It is the SHA-256, in hex, of a text such as
     * {@code 6668…|activity:100|1|2|9f86…}. The parts of the text are the commitment to the seed, the activity, the
     * round, the version, and the hash of the version.
     */
    public static String of(ActivityId activityId, int round, String commitment, ApprovedStrategy strategy) {
        String text = String.join(
                "|",
                commitment,
                activityId.text(),
                Integer.toString(round),
                Integer.toString(strategy.version()),
                strategy.hash());
        return Sha256.hex(text.getBytes(UTF_8));
    }

    /** Returns the value that binds this round and a version of the strategy. */
    public String bindTo(ActivityId activityId, ApprovedStrategy strategy) {
        return of(activityId, round, commitment, strategy);
    }

    /** Returns the commitment to a version of the strategy; null if there is none. */
    public @Nullable CommittedStrategy strategy(int strategyVersion) {
        return strategies.stream()
                .filter(committed -> committed.strategyVersion() == strategyVersion)
                .findFirst()
                .orElse(null);
    }

    /**
     * Returns the commitments of all rounds after one more event of the activity.
     *
     * @param approved the approved version before the event
     */
    public static List<RoundCommitment> after(
            List<RoundCommitment> before, @Nullable ApprovedStrategy approved, ActivityEvent event) {
        return switch (event) {
            case ActivityStarted started ->
                Stream.concat(before.stream(), Stream.of(begun(started, approved)))
                        .toList();
            case StrategyAdopted adopted -> after(before, adopted);
            case SeedPublished published ->
                before.stream()
                        .map(round -> round.round == published.round() ? round.with(published.seed()) : round)
                        .toList();
            case ActivityCreated _,
                    ActivityEdited _,
                    ActivitySubmitted _,
                    ActivityPassed _,
                    ActivityRefused _,
                    ActivityRevoked _,
                    ActivityPaused _,
                    ActivityResumed _,
                    AwardHeld _,
                    HeldAwardReleased _,
                    ActivityClosed _,
                    ActivityOpened _ -> before;
        };
    }

    /**
     * Returns the commitments of a round that has just started. If no version is approved, the round has an empty list
     * of versions. A verification then reports each draw of the round as a difference.
     */
    private static RoundCommitment begun(ActivityStarted started, @Nullable ApprovedStrategy approved) {
        return new RoundCommitment(
                started.round(),
                started.commitment(),
                null,
                approved == null
                        ? List.of()
                        : List.of(
                                new CommittedStrategy(approved.version(), approved.hash(), started.roundCommitment())));
    }

    private static List<RoundCommitment> after(List<RoundCommitment> before, StrategyAdopted adopted) {
        String roundCommitment = adopted.roundCommitment();
        if (before.isEmpty() || roundCommitment == null) {
            return before;
        }
        RoundCommitment last = before.getLast()
                .with(new CommittedStrategy(adopted.strategyVersion(), adopted.strategyHash(), roundCommitment));
        return Stream.concat(before.stream().limit(before.size() - 1L), Stream.of(last))
                .toList();
    }

    private RoundCommitment with(CommittedStrategy next) {
        return new RoundCommitment(
                round,
                commitment,
                seed,
                Stream.concat(strategies.stream(), Stream.of(next)).toList());
    }

    private RoundCommitment with(String published) {
        return new RoundCommitment(round, commitment, published, strategies);
    }
}
