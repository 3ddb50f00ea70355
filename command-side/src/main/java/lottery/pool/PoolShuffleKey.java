package lottery.pool;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import lottery.api.Sha256;
import lottery.api.activity.ActivityId;
import lottery.api.pool.PoolEvent.PoolFrozen;
import lottery.api.raffle.RaffleOrderId;
import lottery.fairness.Seed;
import lottery.raffle.DrawTicket;
import lottery.rule.RandomStream;

/**
 * The key of the order of a pool. It is the HMAC-SHA256 of the text {@code draw|activity:<id>|<root>|<beacon>|<beacon
 * round>|<beacon value>} under the seed. The lot of an entry is the HMAC-SHA256 of its leaf under this key, and entries
 * are ordered by their lots.
 */
public record PoolShuffleKey(String hex) {

    /**
     * Returns the key. It follows from the seed and from facts that were published at the freeze, and from a random
     * value that nobody knew at that time.
     */
    public static PoolShuffleKey of(Seed seed, PoolFrozen frozen, String beaconValue) {
        return of(seed, frozen.activityId(), frozen.root(), frozen.beacon(), frozen.beaconRound(), beaconValue);
    }

    private static PoolShuffleKey of(
            Seed seed, ActivityId activityId, String root, String beacon, String beaconRound, String beaconValue) {
        String text = String.join("|", "draw", activityId.text(), root, beacon, beaconRound, beaconValue);
        return new PoolShuffleKey(HexFormat.of().formatHex(seed.hmac(text)));
    }

    /** Returns the function that computes lots from leaves. */
    public Mac lots() {
        return Sha256.hmac(HexFormat.of().parseHex(hex));
    }

    /** Returns the random numbers by which the amount of a win is drawn. */
    public RandomStream amounts(RaffleOrderId orderId) {
        byte[] ticket = lots().doFinal(orderId.text().getBytes(UTF_8));
        return new DrawTicket(HexFormat.of().formatHex(ticket)).without(List.of());
    }
}
