package lottery.choice;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Pattern;
import java.net.URI;
import lottery.EndpointCommandSender;
import lottery.IdempotentReplyBuilder;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.choice.DefinedTreeVersion;
import lottery.api.choice.TreeCommand.DefineTree;
import lottery.api.choice.TreeId;
import lottery.api.tree.TreeDefinition;
import lottery.tree.TreeDefinitionRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** Defines and shows decision trees over REST. */
@RestController
@Tag(name = "Tree", description = "Decision trees that choose an activity from facts about a user.")
class TreeEndpoint {

    private static final String TREES = "/api/v1/decision-trees";

    /** The pattern of an entity tag, as it is in the answers or without its quotes. */
    private static final String ETAG = "\"?[0-9]{1,9}\"?";

    record DecisionTreeVersion(TreeId treeId, int version) {}

    record DecisionTreeDetails(TreeId treeId, int version, TreeDefinition definition) {}

    private final EndpointCommandSender commands;
    private final CompiledDecisionTreeCache rules;

    TreeEndpoint(EndpointCommandSender commands, CompiledDecisionTreeCache rules) {
        this.commands = commands;
        this.rules = rules;
    }

    @Operation(summary = "Define a decision tree", description = """
                    Stores the next version of a decision tree, or version 1 if the id is new. With `If-Match`, the
                    request is refused with VERSION_STALE if that version is not the newest one; without it, any version
                    is replaced. The same tree again changes nothing. A tree with flaws is refused with TREE_INVALID and
                    its findings. Flaws are, for example, a cycle of lines, a node that cannot be reached, and an
                    activity that does not exist.""")
    @ApiResponse(responseCode = "201", description = "The first version")
    @ApiResponse(responseCode = "200", description = "A new version, or the newest one if it is the same")
    @PutMapping(TREES + "/{treeId}")
    ResponseEntity<DecisionTreeVersion> defineDecisionTree(
            @PathVariable TreeId treeId,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable @Pattern(regexp = ETAG)
                    String basedOn,
            @Valid @RequestBody TreeDefinitionRequest form) {
        Integer version = basedOn == null ? null : Integer.valueOf(basedOn.replace("\"", ""));
        Answer<DefinedTreeVersion> answer = commands.send(new DefineTree(treeId, version, form.definition()));
        rules.forget(treeId);
        DefinedTreeVersion defined = answer.orThrow();
        DecisionTreeVersion body = new DecisionTreeVersion(treeId, defined.version());
        if (!defined.isNew()) {
            return IdempotentReplyBuilder.repeated(body);
        }
        return defined.version() == 1
                ? IdempotentReplyBuilder.created(URI.create(TREES + "/" + treeId.value()), body)
                : ResponseEntity.ok().eTag(Integer.toString(defined.version())).body(body);
    }

    @Operation(summary = "Show a decision tree", description = """
                    Returns the newest version of a decision tree. The header `ETag` contains the version; send it as
                    `If-Match` to change the tree.""")
    @GetMapping(TREES + "/{treeId}")
    ResponseEntity<DecisionTreeDetails> getDecisionTree(@PathVariable TreeId treeId) {
        return rules.find(treeId)
                .map(rule -> ResponseEntity.ok()
                        .eTag(Integer.toString(rule.version()))
                        .body(new DecisionTreeDetails(treeId, rule.version(), rule.definition())))
                .orElseThrow(() -> new RefusedException(Refusal.NOT_FOUND, treeId.text()));
    }
}
