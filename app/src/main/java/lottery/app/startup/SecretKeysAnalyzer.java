package lottery.app.startup;

import lottery.store.vault.KeysRefusedException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says in one sentence what is wrong with the keys for seeds, codes or persons, and how to create a key. */
final class SecretKeysAnalyzer extends AbstractFailureAnalyzer<KeysRefusedException> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, KeysRefusedException cause) {
        return new FailureAnalysis(
                String.valueOf(cause.getMessage()),
                "Set %1$s_KEYS_K1 to 32 random bytes in Base64 (`openssl rand -base64 32`) and %1$s_CURRENT_KEY to k1. Use the same for all processes, and keep the key as safe as the database."
                        .formatted(cause.settings()),
                cause);
    }
}
