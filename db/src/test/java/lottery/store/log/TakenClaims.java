package lottery.store.log;

/** Makes the exception that the store throws where a claim is taken, for tests outside this package. */
public final class TakenClaims {

    private TakenClaims() {}

    public static ClaimTaken of(String key) {
        return new ClaimTaken(new Claim("seat", key, "anna"));
    }
}
