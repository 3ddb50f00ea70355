package lottery.fairness;

/** The keys for seeds are not usable as they are configured; whoever starts the process can mend it. */
public final class SeedKeysRefused extends RuntimeException {

    SeedKeysRefused(String reason) {
        super(reason);
    }
}
