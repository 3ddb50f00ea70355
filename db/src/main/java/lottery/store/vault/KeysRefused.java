package lottery.store.vault;

/** The keys for secrets are not usable as they are configured; whoever starts the process can mend it. */
public final class KeysRefused extends RuntimeException {

    KeysRefused(String reason) {
        super(reason);
    }
}
