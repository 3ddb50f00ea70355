package lottery.api.entitlement;

import java.time.Instant;

/**
 * Content that a user may read.
 *
 * @param grantedAt since when
 */
public record UserEntitlement(ContentId contentId, Instant grantedAt) {}
