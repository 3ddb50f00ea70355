package lottery.store.log;

/**
 * A fact that is true once: no two commits can hold the same scope and key.
 *
 * @param scope what kind of fact, or of which thing
 * @param key which one of the scope
 * @param holder whose it is
 */
public record Claim(String scope, String key, String holder) {

    /** What is unique about a claim. */
    record Name(String scope, String key) {}

    Name name() {
        return new Name(scope, key);
    }
}
