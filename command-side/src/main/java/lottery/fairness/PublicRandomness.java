package lottery.fairness;

import java.time.Instant;
import java.util.Optional;

/**
 * A source of public random values, such as a beacon or the numbers of another lottery. Nobody knows a value before its
 * time, and everybody can look it up later.
 */
public interface PublicRandomness {

    /** Returns whether this lottery has a source. */
    boolean isThere();

    /** Returns the name of the source, as people who verify a draw read it. */
    String source();

    /**
     * Returns the name of the value that is used for a draw at this time. Nobody may know the value before that time.
     */
    String roundAt(Instant drawAt);

    /**
     * Returns the value with this name, in hex; empty if the value is not known yet.
     *
     * @throws java.io.UncheckedIOException if the source cannot be read now
     */
    Optional<String> valueOf(String round);
}
