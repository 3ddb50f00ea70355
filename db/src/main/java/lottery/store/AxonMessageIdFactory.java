package lottery.store;

import java.security.SecureRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.axonframework.common.IdentifierFactory;

/**
 * Creates the ids of messages: UUIDs of version 7, made of the time, a number of this process and a count. Axon's own
 * ids come from the secure random generator, which all threads share. This generator is costly here, because every
 * message has an id, even the result of each handled event. No id of a message has to be secret, so random ids are not
 * needed.
 *
 * <p>Axon finds this class through {@code ServiceLoader}.
 */
public final class AxonMessageIdFactory extends IdentifierFactory {

    private static final long VERSION = 7L << 12;
    private static final long VARIANT = 1L << 63;
    private static final int COUNT_HIGH_BITS = 12;
    private static final int COUNT_LOW_BITS = 22;
    private static final int PROCESS_BITS = 40;

    private final long process = new SecureRandom().nextLong() >>> (Long.SIZE - PROCESS_BITS);
    private final AtomicLong count = new AtomicLong();

    @Override
    public String generateIdentifier() {
        long number = count.getAndIncrement();
        long high = (System.currentTimeMillis() << 16) | VERSION | lowest(COUNT_HIGH_BITS, number);
        long low = VARIANT | (process << COUNT_LOW_BITS) | lowest(COUNT_LOW_BITS, number >>> COUNT_HIGH_BITS);
        return new UUID(high, low).toString();
    }

    private static long lowest(int bits, long number) {
        return number & ((1L << bits) - 1);
    }
}
