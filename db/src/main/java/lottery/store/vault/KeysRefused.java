package lottery.store.vault;

/** The keys for secrets are not usable as they are configured; the operator who starts the process can fix that. */
public final class KeysRefused extends RuntimeException {

    private final String settings;

    KeysRefused(String reason) {
        this(reason, "LOTTERY_SEEDS");
    }

    private KeysRefused(String reason, String settings) {
        super(reason);
        this.settings = settings;
    }

    /** Returns the same for the keys of other settings. */
    KeysRefused of(String otherSettings) {
        return new KeysRefused(String.valueOf(getMessage()), otherSettings);
    }

    /** Returns how the names of the settings begin that have the keys. */
    public String settings() {
        return settings;
    }
}
