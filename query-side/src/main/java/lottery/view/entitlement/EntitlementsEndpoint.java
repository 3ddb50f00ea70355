package lottery.view.entitlement;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import lottery.api.UserId;
import lottery.api.entitlement.ContentId;
import lottery.api.entitlement.EntitlementPage;
import lottery.view.AnswersFromReadModels;
import lottery.view.PageCursor;
import lottery.view.Paging;
import lottery.view.SingleFlight;
import lottery.view.entitlement.EntitlementReader.FindEntitlements;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Shows a user's entitlements over REST. */
@RestController
@Tag(name = "Entitlements", description = "The content that a user may read.")
@AnswersFromReadModels(EntitlementProjection.GROUP)
class EntitlementsEndpoint {

    private final SingleFlight questions;
    private final EntitlementReader entitlements;

    EntitlementsEndpoint(SingleFlight questions, EntitlementReader entitlements) {
        this.questions = questions;
        this.entitlements = entitlements;
    }

    @Operation(summary = "List the content that a user may read", description = """
                    Returns the content that the user has paid for or won, the newest first, page by page. Content whose
                    money is given back is no longer listed, unless the user has it from another recharge or award. With
                    `contentId`, the list has this content or nothing.""")
    @GetMapping("/api/v1/users/{userId}/entitlements")
    EntitlementPage listEntitlements(
            @PathVariable UserId userId,
            @RequestParam(required = false) @Nullable ContentId contentId,
            @RequestParam(required = false) @Nullable String cursor,
            @RequestParam(defaultValue = "20") int limit) {
        Paging.require(limit, cursor, PageCursor::of);
        return questions.ask(new FindEntitlements(userId, contentId, cursor, limit), entitlements::answer);
    }
}
