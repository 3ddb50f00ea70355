package lottery.raffle;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.random.RandomGenerator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import lottery.strategy.Chance;

/**
 * The randomness of one draw: 256 bits, from which any number of numbers follow by HMAC-SHA256 over a counter. The
 * event keeps the ticket, so that a draw can be decided again.
 */
public record Ticket(String hex) {

    private static final String HMAC = "HmacSHA256";
    private static final int BYTES = 32;

    public Ticket {
        if (HexFormat.of().parseHex(hex).length != BYTES) {
            throw new IllegalArgumentException("a ticket has " + BYTES + " bytes");
        }
    }

    public static Ticket fresh(RandomGenerator random) {
        byte[] bits = new byte[BYTES];
        random.nextBytes(bits);
        return new Ticket(HexFormat.of().formatHex(bits));
    }

    /** The numbers of this ticket, from the first one on. */
    public Chance chance() {
        return new Numbers(HexFormat.of().parseHex(hex));
    }

    private static final class Numbers implements Chance {

        private final Mac mac;
        private long counter;
        private ByteBuffer block = ByteBuffer.allocate(0);

        Numbers(byte[] key) {
            try {
                mac = Mac.getInstance(HMAC);
                mac.init(new SecretKeySpec(key, HMAC));
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("every Java platform has " + HMAC, e);
            }
        }

        /** Numbers of the last, incomplete round of the bound are thrown away: they would favour the low outcomes. */
        @Override
        public long below(long bound) {
            if (bound <= 0) {
                throw new IllegalArgumentException("a bound is positive");
            }
            long fair = Long.MAX_VALUE - (Long.MAX_VALUE % bound + 1) % bound;
            long number = next();
            while (number > fair) {
                number = next();
            }
            return number % bound;
        }

        private long next() {
            if (!block.hasRemaining()) {
                block = ByteBuffer.wrap(mac.doFinal(
                        ByteBuffer.allocate(Long.BYTES).putLong(counter++).array()));
            }
            return block.getLong() & Long.MAX_VALUE;
        }
    }
}
