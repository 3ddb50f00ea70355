package lottery.fairness;

import java.time.Instant;
import java.util.Optional;

/** No source of public random values is configured. */
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
