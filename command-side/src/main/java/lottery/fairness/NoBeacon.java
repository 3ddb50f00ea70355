package lottery.fairness;

import java.time.Instant;
import java.util.Optional;

/** The source that is used if none is configured: it has no public random values. */
final class NoBeacon implements PublicRandomness {

    @Override
    public boolean isThere() {
        return false;
    }

    @Override
    public String source() {
        return "none";
    }

    @Override
    public String roundAt(Instant drawAt) {
        return drawAt.toString();
    }

    @Override
    public Optional<String> valueOf(String round) {
        return Optional.empty();
    }
}
