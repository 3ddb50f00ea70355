package lottery.bench.invariant.log;

import java.util.HashMap;
import java.util.Map;
import lottery.bench.invariant.AccountTally;
import lottery.bench.invariant.CheckMoment;
import lottery.bench.invariant.CheckedUserShare;
import lottery.bench.invariant.EventTableRow;
import lottery.bench.invariant.FindingTally;
import lottery.bench.invariant.Invariant;
import lottery.bench.invariant.InvariantVerdict;
import lottery.bench.invariant.ParsedEventPayload;

/**
 * Checks that the events of a user are in streams of that user, whose ids contain the user's shard. If a stream had
 * another shard, the user could have one account in each of two shards. All things of the users of a shard are in the
 * same log, but for their bans.
 */
public final class UserShardInvariant implements Invariant {

    private static final String USER = "userId";

    private final FindingTally tally = new FindingTally();

    /** The log of each shard, by its first event. */
    private final Map<String, Long> logs = new HashMap<>();

    @Override
    public void accept(EventTableRow event) {
        ParsedEventPayload payload = event.payload();
        if (event.isRepeated() || !payload.has(USER)) {
            return;
        }
        tally.checked();
        String home = CheckedUserShare.homeOf(payload.text(USER));
        String stream = event.stream();
        boolean isAtHome = switch (stream.substring(0, stream.indexOf(':') + 1)) {
            case "account:" ->
                stream.equals(
                        "account:" + home + ":" + AccountTally.key(payload).replace('/', ':'));
            case "credit:" -> stream.equals("credit:" + home + ":" + payload.text(USER));
            case "person:" -> stream.equals("person:" + home + ":" + payload.text(USER));
            case "ban:" -> stream.equals("ban:" + home + ":" + payload.text(USER));
            case "rebates:" -> stream.equals("rebates:" + home + ":" + payload.text(USER));
            case "sign-in:" -> stream.equals("sign-in:" + home + ":" + payload.text(USER));
            case "award:" -> stream.equals(payload.text("awardRecordId")) && stream.startsWith("award:" + home + "-");
            default -> stream.contains(":" + home + "-");
        };
        // Every process follows the bans in the home log.
        if (!stream.startsWith("ban:")) {
            requireLogOf(home, event);
        }
        if (!isAtHome) {
            tally.violated("event %d, %s, is about %s of shard %s, and in the stream %s"
                    .formatted(event.position(), event.name(), payload.text(USER), home, stream));
        }
    }

    private void requireLogOf(String shard, EventTableRow event) {
        long log = logs.computeIfAbsent(shard, unknown -> event.log());
        if (log != event.log()) {
            tally.violated("event %d, %s, is about %s of shard %s in log %d, and others of this shard are in log %d"
                    .formatted(event.position(), event.name(), event.payload().text(USER), shard, event.log(), log));
        }
    }

    @Override
    public InvariantVerdict verdict(CheckMoment moment) {
        return tally.verdict("homes", "what happens to a user is in a stream of that user");
    }
}
