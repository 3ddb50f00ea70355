package lottery.raffle;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HexFormat;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import lottery.api.Sha256;
import lottery.api.raffle.RaffleOrderId;
import lottery.fairness.Seed;
import lottery.rule.DrawRandomness;
import lottery.rule.RandomStream;

/**
 * The randomness of one draw: 256 bits, the HMAC-SHA256 of the order's id under the seed of its round. The event keeps
 * the ticket, so that anybody can decide the draw again, in any language.
 *
 * <p>The ticket gives as many random numbers as needed, in blocks that are counted from 0. Block n is an HMAC-SHA256.
 * Its key is the ticket's 32 bytes, and its text is {@code <awards left out, ascending, with commas between>|<n>}. Each
 * block gives four numbers. A number is 8 bytes, big-endian, without the highest bit.
 */
public record DrawTicket(String hex) implements DrawRandomness {

    private static final int BYTES = 32;

    public DrawTicket {
        if (HexFormat.of().parseHex(hex).length != BYTES) {
            throw new IllegalArgumentException("a ticket has " + BYTES + " bytes");
        }
    }

    /** Returns the ticket of an order. Neither the operator nor the user can choose it. */
    public static DrawTicket of(Seed seed, RaffleOrderId orderId) {
        return new DrawTicket(HexFormat.of().formatHex(seed.hmac(orderId.text())));
    }

    @Override
    public RandomStream without(Collection<Integer> leftOut) {
        return new MacRandomStream(HexFormat.of().parseHex(hex), label(leftOut));
    }

    private static String label(Collection<Integer> leftOut) {
        return leftOut.isEmpty()
                ? "|"
                : leftOut.stream().map(String::valueOf).collect(Collectors.joining(",", "", "|"));
    }

    private static final class MacRandomStream implements RandomStream {

        private final Mac mac;
        private final String label;
        private int counter;
        private ByteBuffer block = ByteBuffer.allocate(0);

        MacRandomStream(byte[] key, String label) {
            this.label = label;
            this.mac = Sha256.hmac(key);
        }

        /**
         * Returns a random number modulo the bound. Numbers above the last whole range of the bound are skipped,
         * because they would favour the low results.
         */
        @Override
        public long below(long bound) {
            if (bound <= 0) {
                throw new IllegalArgumentException("a bound is positive");
            }
            long activity = Long.MAX_VALUE - (Long.MAX_VALUE % bound + 1) % bound;
            long number = next();
            while (number > activity) {
                number = next();
            }
            return number % bound;
        }

        private long next() {
            if (!block.hasRemaining()) {
                block = ByteBuffer.wrap(mac.doFinal((label + counter++).getBytes(US_ASCII)));
            }
            return block.getLong() & Long.MAX_VALUE;
        }
    }
}
