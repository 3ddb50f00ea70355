package lottery.store.commit;

/** Makes the exception that the store throws where a claim is taken, for tests outside this package. */
public final class TakenClaims {

    private TakenClaims() {}

    public static UniqueKeyTakenException of(String key) {
        return new UniqueKeyTakenException(new UniqueKeyClaim("seat", key, "anna"));
    }
}
