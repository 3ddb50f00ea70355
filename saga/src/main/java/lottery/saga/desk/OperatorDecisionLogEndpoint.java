package lottery.saga.desk;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.saga.desk.OperatorDecisionLog.OperatorDecision;
import lottery.store.log.MergedPages;
import lottery.store.log.MergedPages.MergedPage;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Shows the decisions of operators over REST. */
@RestController
@Tag(name = "Operator decisions", description = "The desk: the decisions of its members.")
@RequestMapping(produces = MediaType.APPLICATION_JSON_VALUE)
class OperatorDecisionLogEndpoint {

    private final OperatorDecisionLog decisions;
    private final MergedPages pages;

    OperatorDecisionLogEndpoint(OperatorDecisionLog decisions, MergedPages pages) {
        this.decisions = decisions;
        this.pages = pages;
    }

    /** A page of decisions, the newest first. */
    record DecisionsPage(
            List<OperatorDecision> decisions, @Nullable String next) {}

    @Operation(summary = "List the decisions at the desk", description = """
                    Returns what the desk has released, retried, dropped or compensated, with the reasons, the newest
                    first, page by page.""")
    @GetMapping("/api/v1/ops/decisions")
    DecisionsPage listDecisions(
            @RequestParam(required = false) @Nullable String cursor, @RequestParam(defaultValue = "20") int limit) {
        if (pages.positions(cursor).isEmpty()) {
            throw new RefusedException(Refusal.INVALID, "cursor");
        }
        MergedPage<OperatorDecision> page = decisions.page(cursor, DeskPaging.checked(limit));
        return new DecisionsPage(page.items(), page.next());
    }
}
