package lottery.identity;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;

/**
 * Hashes and compares passwords with bcrypt. A comparison uses a core for a twentieth of a second. It is slow on
 * purpose, so that guessing takes long. Few comparisons run at once, so that logins leave time for draws. Names that no
 * account has take no turns of those that have one.
 */
final class Passwords {

    static final int LENGTH_MIN = 10;

    /** The longest password. Bcrypt ignores further bytes. */
    static final int BYTES_MAX = 72;

    private static final int AT_ONCE_MAX = 2;
    private static final Duration TURN_WAIT_MAX = Duration.ofSeconds(1);

    private final BCryptPasswordEncoder encoder = new BCryptPasswordEncoder();
    private final Semaphore turns = new Semaphore(AT_ONCE_MAX, true);
    private final Semaphore turnsOfStrangers = new Semaphore(1, true);

    /**
     * A password is compared with this hash if the account does not exist or has no password. Without this comparison,
     * a short response time would reveal such a case.
     */
    private final String otherHash;

    Passwords(SecureRandom random) {
        byte[] secret = new byte[LENGTH_MIN];
        random.nextBytes(secret);
        otherHash = encoder.encode(HexFormat.of().formatHex(secret));
    }

    String hash(String password) {
        if (password.length() < LENGTH_MIN || password.getBytes(UTF_8).length > BYTES_MAX) {
            throw new RefusedException(Refusal.INVALID, "password");
        }
        return inTurn(() -> encoder.encode(password));
    }

    /**
     * Takes as long as a comparison. While many strangers wait, the time of an answer tells whether a name is known.
     * The logins of those who have an account matter more.
     */
    void matchesNone(String password) {
        var _ = inTurn(turnsOfStrangers, () -> encoder.matches(password, otherHash));
    }

    /**
     * Returns whether a password matches a hash.
     *
     * @param hash supplies the hash when the comparison begins; if it supplies none, no password matches
     */
    boolean matches(String password, Supplier<Optional<String>> hash) {
        return inTurn(() -> {
            Optional<String> known = hash.get();
            return encoder.matches(password, known.orElse(otherHash)) && known.isPresent();
        });
    }

    private <T> T inTurn(Supplier<T> work) {
        return inTurn(turns, work);
    }

    private static <T> T inTurn(Semaphore turns, Supplier<T> work) {
        if (!tryAcquire(turns)) {
            throw new RefusedException(Refusal.BUSY, "login");
        }
        try {
            return work.get();
        } finally {
            turns.release();
        }
    }

    private static boolean tryAcquire(Semaphore turns) {
        try {
            return turns.tryAcquire(TURN_WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
