package lottery.store.commit;

/**
 * A fact that can be true only once, for example that a business number is booked. At most one claim exists for each
 * scope and key.
 *
 * @param scope the kind of fact, or the thing that it belongs to
 * @param key identifies the fact within its scope
 * @param holder the owner of the claim
 */
public record UniqueKeyClaim(String scope, String key, String holder) {

    /** The part of a claim that must be unique. */
    public record Name(String scope, String key) {}

    public Name name() {
        return new Name(scope, key);
    }
}
