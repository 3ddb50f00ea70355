package lottery.saga.desk;

import static java.util.Comparator.comparing;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import java.util.Comparator;
import java.util.List;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.proposal.MayNeedSecondPerson;
import lottery.api.proposal.Proposal;
import lottery.api.proposal.ProposalCommand.ProposeAction;
import lottery.api.proposal.ProposalState;
import lottery.api.proposal.ProposedAction;
import lottery.api.rebate.BehaviourCommand.GiveRebate;
import lottery.api.rebate.BehaviourId;
import lottery.api.rebate.BehaviourProgress;
import lottery.api.rebate.RebateProgress;
import lottery.api.rebate.RebateRuleId;
import lottery.api.rebate.RebateState;
import lottery.saga.desk.DeskPaging.Page;
import lottery.saga.desk.OperatorDecisionLog.OperatorAction;
import lottery.saga.rebate.ListedRefusedRebate;
import lottery.saga.rebate.RefusedRebateTable;
import lottery.store.log.Logs;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Shows over REST which refused rebates wait for a person, and takes the decisions about them. */
@RestController
@Tag(name = "Rebates", description = "The desk: refused rebates that wait for a person.")
@RequestMapping(produces = MediaType.APPLICATION_JSON_VALUE)
class RefusedRebatesEndpoint {

    private static final String ALL = "/api/v1/ops/rebates";
    private static final String ONE = ALL + "/{behaviourId}/{ruleId}/{index}";

    private static final Comparator<ListedRefusedRebate> LONGEST_WAIT_FIRST = comparing(ListedRefusedRebate::since)
            .thenComparing(rebate -> rebate.behaviourId().text())
            .thenComparingLong(rebate -> rebate.ruleId().value())
            .thenComparingInt(ListedRefusedRebate::index);

    private final RefusedRebateTable waits;
    private final Logs logs;
    private final OperatorCommandSender commands;
    private final OperatorDecisionLog decisions;

    RefusedRebatesEndpoint(
            RefusedRebateTable waits, Logs logs, OperatorCommandSender commands, OperatorDecisionLog decisions) {
        this.waits = waits;
        this.logs = logs;
        this.commands = commands;
        this.decisions = decisions;
    }

    record WaitingRebatesPage(
            List<ListedRefusedRebate> rebates, @Nullable String next) {}

    /**
     * A rebate and its state after the decision.
     *
     * @param reason why it is still refused
     */
    record DecidedRebate(
            BehaviourId behaviourId,
            RebateRuleId ruleId,
            int index,
            RebateState state,
            @Nullable String reason) {

        static DecidedRebate of(BehaviourId behaviourId, RebateProgress rebate) {
            return new DecidedRebate(behaviourId, rebate.ruleId(), rebate.index(), rebate.state(), rebate.reason());
        }
    }

    @Operation(summary = "List refused rebates that wait for a person", description = """
                    Returns rebates that could not be given, for example because a SKU is sold out, the longest wait
                    first, page by page. Rebates beyond the limit of their rule or of the SKU are not included, because
                    their refusal is intended.""")
    @GetMapping(ALL)
    WaitingRebatesPage listRebates(
            @RequestParam(required = false) @Nullable String cursor, @RequestParam(defaultValue = "20") int limit) {
        DeskCursor from = DeskCursor.read(cursor, DeskCursor.of(0, "", 0, 0));
        RefusedRebateTable.PageEnd after = new RefusedRebateTable.PageEnd(
                from.time(0), from.word(1), from.number(2), (int) Math.min(from.number(3), Integer.MAX_VALUE));
        Page<ListedRefusedRebate> page = Page.of(
                list(after, DeskPaging.checked(limit) + 1),
                limit,
                rebate -> DeskCursor.of(
                        DeskCursor.number(rebate.since()),
                        rebate.behaviourId().text(),
                        rebate.ruleId().value(),
                        rebate.index()));
        return new WaitingRebatesPage(page.items(), page.next());
    }

    private List<ListedRefusedRebate> list(RefusedRebateTable.PageEnd after, int max) {
        return logs.readAll(() -> waits.find(after, max), LONGEST_WAIT_FIRST, max);
    }

    @Operation(summary = "Give a refused rebate after all", description = """
                    Tries once more to give a rebate, and returns its state: DONE, or REFUSED with the reason. A rebate
                    that was already given or dropped does not change. Each request is recorded among the decisions of
                    the desk.""")
    @PostMapping(ONE + "/retry")
    DecidedRebate retryRebate(
            @PathVariable BehaviourId behaviourId, @PathVariable RebateRuleId ruleId, @PathVariable int index) {
        RebateProgress rebate = rebate(
                commands.send(new GiveRebate(behaviourId, ruleId, index, true)).orThrow(), ruleId, index);
        decisions.record(OperatorAction.RETRY, behaviourId.businessNo(ruleId, index), null);
        return DecidedRebate.of(behaviourId, rebate);
    }

    @Operation(summary = "Give a refused rebate up", description = """
                    Removes a refused rebate from the desk, with a reason. The rebate stays REFUSED, so a user may lose
                    something: two persons are needed. The request is a proposal, and returns 202. The rebate is dropped
                    when another person of the desk agrees. A rebate that was given or dropped does not change.""")
    @MayNeedSecondPerson
    @ApiResponse(
            responseCode = "200",
            description = "OK",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON_VALUE,
                            schema = @Schema(implementation = DecidedRebate.class)))
    @PostMapping(ONE + "/drop")
    ResponseEntity<?> dropRebate(
            @PathVariable BehaviourId behaviourId,
            @PathVariable RebateRuleId ruleId,
            @PathVariable int index,
            @Valid @RequestBody DecisionReason why) {
        BehaviourProgress behaviour = commands.find(behaviourId).orElseThrow(() -> none(behaviourId));
        if (rebate(behaviour, ruleId, index).needsPerson()) {
            ProposedAction action =
                    ProposedAction.dropOfRebate(behaviourId.businessNo(ruleId, index), behaviour.userId());
            Proposal proposal =
                    commands.send(new ProposeAction(action, why.reason())).orThrow();
            if (proposal.state() != ProposalState.AGREED) {
                return ResponseEntity.accepted().body(proposal);
            }
            behaviour = commands.find(behaviourId).orElseThrow(() -> none(behaviourId));
        }
        return ResponseEntity.ok(DecidedRebate.of(behaviourId, rebate(behaviour, ruleId, index)));
    }

    private static RebateProgress rebate(BehaviourProgress behaviour, RebateRuleId ruleId, int index) {
        return behaviour.find(ruleId, index).orElseThrow(() -> none(behaviour.behaviourId()));
    }

    private static RefusedException none(BehaviourId id) {
        return new RefusedException(Refusal.NOT_FOUND, id.text());
    }
}
