package lottery.store.log;

import org.axonframework.common.AxonNonTransientException;

/** A command has claimed what is claimed already. Nothing of it was stored, and it will not succeed with this claim. */
public final class ClaimTaken extends AxonNonTransientException {

    private static final long serialVersionUID = 1;

    private final transient Claim claim;

    ClaimTaken(Claim claim) {
        super("%s of %s is claimed already, and %s cannot have it"
                .formatted(claim.key(), claim.scope(), claim.holder()));
        this.claim = claim;
    }

    /** What could not be had. */
    public Claim claim() {
        return claim;
    }
}
