package lottery.store.log;

/** Makes the exception that the store throws where a claim is taken, for tests outside this package. */
public final class TakenClaims {

    private TakenClaims() {}

    public static UniqueKeyTaken of(String key) {
        return new UniqueKeyTaken(new UniqueKeyClaim("seat", key, "anna"));
    }
}
