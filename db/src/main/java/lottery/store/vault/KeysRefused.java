package lottery.store.vault;

/** The keys for secrets are not usable as they are configured; the operator who starts the process can fix that. */
public final class KeysRefused extends RuntimeException {

    private final String settings;

    KeysRefused(String settings, String reason) {
        super(reason);
        this.settings = settings;
    }

    /** Returns how the names of the settings begin that have the keys. */
    public String settings() {
        return settings;
    }
}
