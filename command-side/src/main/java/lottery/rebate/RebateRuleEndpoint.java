package lottery.rebate;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Pattern;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import lottery.EndpointCommandSender;
import lottery.IdempotentReplyBuilder;
import lottery.ShortListPage;
import lottery.activity.ActivityCache;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.proposal.MayNeedSecondPerson;
import lottery.api.proposal.Proposal;
import lottery.api.proposal.ProposalCommand.ProposeAction;
import lottery.api.proposal.ProposedAction;
import lottery.api.rebate.DefinedRebateRuleVersion;
import lottery.api.rebate.Rebate;
import lottery.api.rebate.RebateLimit;
import lottery.api.rebate.RebateRuleCommand.DefineRebateRule;
import lottery.api.rebate.RebateRuleDefinition;
import lottery.api.rebate.RebateRuleDefinition.RebateRuleState;
import lottery.api.rebate.RebateRuleEvent.RebateRuleDefined;
import lottery.api.rebate.RebateRuleId;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Defines and shows rebate rules over REST. */
@RestController
// A caller that does not accept JSON is refused before the command runs, not after it.
@RequestMapping(produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "Rebate rule", description = "Rules that define what a behaviour earns: chances or credits.")
class RebateRuleEndpoint {

    private static final String RULES = "/api/v1/rebate-rules";

    /** The number of the last rule of the page before. */
    private static final String CURSOR = "[1-9][0-9]{0,17}";

    record DefinedRebateRule(RebateRuleId ruleId, int version) {}

    record RebateRuleDetails(
            RebateRuleId ruleId,
            int version,
            String behaviour,
            List<Rebate> rebates,
            @Nullable RebateLimit limit,
            @Nullable Integer streak,
            RebateRuleState state) {

        static RebateRuleDetails of(RebateRuleDefined defined) {
            return of(defined.ruleId(), defined.version(), defined.definition());
        }

        static RebateRuleDetails of(RebateRuleId ruleId, int version, RebateRuleDefinition rule) {
            return new RebateRuleDetails(
                    ruleId, version, rule.behaviour(), rule.rebates(), rule.limit(), rule.streak(), rule.state());
        }
    }

    record RebateRulesPage(
            List<RebateRuleDetails> items, @Nullable String next) {}

    private final EndpointCommandSender commands;
    private final RebateRules rules;
    private final ActivityCache activities;

    RebateRuleEndpoint(EndpointCommandSender commands, RebateRules rules, ActivityCache activities) {
        this.commands = commands;
        this.rules = rules;
        this.activities = activities;
    }

    @Operation(summary = "Define a rebate rule", description = """
                    Proposes a new rule, or a new version of an existing rule, and returns 202 with the proposal. The
                    version takes effect when another person with the role `approver` agrees; until then the earlier
                    version still applies. A rule with the state CLOSED pays nothing. Closing a rule takes effect at
                    once, and nobody can agree to an earlier proposal after that. Sending the definition that is in
                    force again does not change the rule.

                    The rule pays each behaviour with its name: chances of a SKU, or credits. `limit` is how often the
                    rule pays one user in a day, in a month or ever. With `streak`, the rule pays only if the sign-in
                    streak is a multiple of this number. Behaviours that were reported before keep the rebates of the
                    version of that time. All nodes follow within five seconds.""")
    @MayNeedSecondPerson
    @ApiResponse(
            responseCode = "201",
            description = "The first version",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON_VALUE,
                            schema = @Schema(implementation = DefinedRebateRule.class)))
    @ApiResponse(
            responseCode = "200",
            description = "A new version, or the newest one if it is the same",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON_VALUE,
                            schema = @Schema(implementation = DefinedRebateRule.class)))
    @PutMapping(RULES + "/{ruleId}")
    ResponseEntity<?> defineRebateRule(
            @PathVariable RebateRuleId ruleId, @Valid @RequestBody RebateRuleDefinitionRequest form) {
        RebateRuleDefinition definition = form.definition();
        Optional<RebateRuleDefined> inForce = rules.findNow(ruleId);
        if (inForce.isPresent() && inForce.get().definition().equals(definition)) {
            return IdempotentReplyBuilder.repeated(
                    new DefinedRebateRule(ruleId, inForce.get().version()));
        }
        if (definition.state() == RebateRuleState.OPEN) {
            RebateRuleValidator.requireFit(ruleId, definition, activities::findInLog);
            int next = inForce.map(RebateRuleDefined::version).orElse(0) + 1;
            Proposal proposal = commands.send(
                            new ProposeAction(ProposedAction.adoption(ruleId, next, definition), null))
                    .orThrow();
            return ResponseEntity.accepted().body(proposal);
        }
        DefinedRebateRuleVersion defined =
                commands.send(new DefineRebateRule(ruleId, definition, null)).orThrow();
        rules.forget();
        DefinedRebateRule body = new DefinedRebateRule(ruleId, defined.version());
        if (!defined.isNew()) {
            return IdempotentReplyBuilder.repeated(body);
        }
        return defined.version() == 1
                ? IdempotentReplyBuilder.created(URI.create(RULES + "/" + ruleId.value()), body)
                : ResponseEntity.ok(body);
    }

    @Operation(summary = "Show a rebate rule", description = "Returns the newest adopted version of a rule.")
    @GetMapping(RULES + "/{ruleId}")
    RebateRuleDetails getRebateRule(@PathVariable RebateRuleId ruleId) {
        return rules.find(ruleId)
                .map(RebateRuleDetails::of)
                .orElseThrow(() -> new RefusedException(Refusal.NOT_FOUND, ruleId.text()));
    }

    @Operation(summary = "List rebate rules", description = """
                    Returns the newest adopted version of each rule, page by page, in the order of the rule ids. Rules
                    give their rebates in the same order.""")
    @GetMapping(RULES)
    RebateRulesPage listRebateRules(
            @RequestParam(required = false) @Nullable @Pattern(regexp = CURSOR) String cursor,
            @RequestParam(defaultValue = "20") int limit) {
        ShortListPage<RebateRuleDetails> page = ShortListPage.after(
                cursor == null ? null : Long.valueOf(cursor),
                limit,
                () -> rules.all().stream().map(RebateRuleDetails::of),
                rule -> rule.ruleId().value());
        return new RebateRulesPage(page.items(), page.next());
    }
}
