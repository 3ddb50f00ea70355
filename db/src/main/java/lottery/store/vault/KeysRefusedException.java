package lottery.store.vault;

/** The configured keys for secrets cannot be used. The operator who starts the process can correct the settings. */
public final class KeysRefusedException extends RuntimeException {

    private final String settings;

    KeysRefusedException(String settings, String reason) {
        super(reason);
        this.settings = settings;
    }

    /** Returns the common beginning of the names of the settings that have the keys. */
    public String settings() {
        return settings;
    }
}
