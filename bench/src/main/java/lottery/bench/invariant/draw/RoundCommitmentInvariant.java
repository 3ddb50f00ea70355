package lottery.bench.invariant.draw;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import lottery.bench.invariant.CheckMoment;
import lottery.bench.invariant.EventTableRow;
import lottery.bench.invariant.FindingTally;
import lottery.bench.invariant.Invariant;
import lottery.bench.invariant.InvariantVerdict;
import lottery.bench.invariant.ParsedEventPayload;
import org.jspecify.annotations.Nullable;

/**
 * Checks the commitments of each round. When a version of the strategy takes effect in a round, the log must have the
 * hash that commits to this version and to the seed of the round. A seed that is published later must match its
 * commitment.
 */
public final class RoundCommitmentInvariant implements Invariant {

    private final FindingTally tally = new FindingTally();
    private final Map<String, CommittedActivity> activities = new HashMap<>();

    /** The state of an activity. Its texts are the parts from which the expected hashes are computed. */
    private static final class CommittedActivity {

        private final Map<Long, String> commitments = new HashMap<>();

        /** The version and hash of the approved strategy, as text; null: none is approved. */
        private @Nullable String approved;

        /**
         * The running round, as text: its commitment to the seed, the activity and the number of the round; null: no
         * round runs.
         */
        private @Nullable String round;
    }

    @Override
    public void accept(EventTableRow event) {
        if (!event.name().startsWith("activity.")) {
            return;
        }
        CommittedActivity activity = activities.computeIfAbsent(event.stream(), unknown -> new CommittedActivity());
        ParsedEventPayload payload = event.payload();
        switch (event.name()) {
            case "activity.created", "activity.edited", "activity.revoked", "activity.refused" ->
                activity.approved = null;
            case "activity.passed" -> activity.approved = approved(payload);
            case "activity.strategy-adopted" -> {
                activity.approved = approved(payload);
                compare(event, activity);
            }
            case "activity.started" -> {
                String commitment = payload.text("commitment");
                activity.commitments.put(payload.number("round"), commitment);
                activity.round = "%s|%s|%s".formatted(commitment, event.stream(), payload.number("round"));
                compare(event, activity);
            }
            case "activity.closed" -> activity.round = null;
            case "activity.seed-published" -> compareSeed(event, activity);
            default -> {
                // Other events neither approve a version nor contain a commitment.
            }
        }
    }

    private static String approved(ParsedEventPayload payload) {
        return payload.number("strategyVersion") + "|" + payload.text("strategyHash");
    }

    private void compare(EventTableRow event, CommittedActivity activity) {
        String due = activity.round == null || activity.approved == null
                ? null
                : sha256((activity.round + "|" + activity.approved).getBytes(UTF_8));
        String found = event.payload().has("roundCommitment") ? event.payload().text("roundCommitment") : null;
        tally.checked();
        if (!Objects.equals(due, found)) {
            tally.violated("%s commits at event %d to %s, where %s was due"
                    .formatted(event.stream(), event.position(), found, due));
        }
    }

    private void compareSeed(EventTableRow event, CommittedActivity activity) {
        String committed = activity.commitments.get(event.payload().number("round"));
        String seed = event.payload().text("seed");
        tally.checked();
        if (!seed.matches("[0-9a-f]{64}")
                || !sha256(HexFormat.of().parseHex(seed)).equals(committed)) {
            tally.violated("%s publishes a seed at event %d that is not the one of its commitment"
                    .formatted(event.stream(), event.position()));
        }
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    @Override
    public InvariantVerdict verdict(CheckMoment moment) {
        return tally.verdict("commitments", "each round is bound to its seed and its versions of the strategy");
    }
}
