package lottery.fairness;

import java.time.Instant;
import java.util.Optional;

/** Sources of public random values for tests of other packages. */
public final class Beacons {

    private Beacons() {}

    public static PublicRandomness none() {
        return new NoBeacon();
    }

    /** Returns a source that has this value for each draw. */
    public static PublicRandomness of(String value) {
        return new Constant(value);
    }

    private record Constant(String value) implements PublicRandomness {

        @Override
        public boolean isThere() {
            return true;
        }

        @Override
        public String source() {
            return "constant";
        }

        @Override
        public String roundAt(Instant drawAt) {
            return drawAt.toString();
        }

        @Override
        public Optional<String> valueOf(String round) {
            return Optional.of(value);
        }
    }
}
