package lottery.entitlement;

import lottery.api.UserId;
import lottery.api.entitlement.ContentId;
import lottery.api.entitlement.EntitlementId;
import org.axonframework.modelling.command.Repository;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Lazy;
import org.springframework.stereotype.Component;

/** Grants and revokes entitlements in the unit of work of the recharge or award that they come from. */
@Component
public class EntitlementGranter {

    private final Repository<Entitlement> entitlements;

    EntitlementGranter(@Lazy @Qualifier("entitlementRepository") Repository<Entitlement> entitlements) {
        this.entitlements = entitlements;
    }

    /**
     * Grants an entitlement, once for each source.
     *
     * @param source the id of the recharge or of the award record that gives it
     */
    public void grant(UserId user, ContentId contentId, String source) {
        try {
            entitlements
                    .loadOrCreate(EntitlementId.of(user, contentId).text(), Entitlement::new)
                    .execute(entitlement -> entitlement.grant(user, contentId, source));
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("could not create the entitlement of " + source, e);
        }
    }

    /**
     * Takes a source away. The entitlement ends with its last source.
     *
     * @param source the id of a recharge that has granted it
     */
    public void revoke(UserId user, ContentId contentId, String source) {
        entitlements
                .load(EntitlementId.of(user, contentId).text())
                .execute(entitlement -> entitlement.revoke(user, contentId, source));
    }
}
