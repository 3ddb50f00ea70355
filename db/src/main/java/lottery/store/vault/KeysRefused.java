package lottery.store.vault;

/** The keys for secrets are not usable as they are configured; the operator who starts the process can fix that. */
public final class KeysRefused extends RuntimeException {

    KeysRefused(String reason) {
        super(reason);
    }
}
