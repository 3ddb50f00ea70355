package lottery.store.commit;

/**
 * A command tried to take a claim that is already held. Nothing of the command is stored, and a retry sees the claim.
 */
public final class UniqueKeyTakenException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final transient UniqueKeyClaim claim;

    public UniqueKeyTakenException(UniqueKeyClaim claim) {
        super("%s of %s is claimed already, and %s cannot have it"
                .formatted(claim.key(), claim.scope(), claim.holder()));
        this.claim = claim;
    }

    /** Returns the claim that could not be taken. */
    public UniqueKeyClaim claim() {
        return claim;
    }
}
