package lottery.strategy;

import static lottery.api.SubmissionFlaw.FlawKind.ID_DIFFERS;
import static lottery.api.SubmissionFlaw.FlawKind.MISSING;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Pattern;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import lottery.EndpointCommandSender;
import lottery.IdempotentCreation;
import lottery.IdempotentReplyBuilder;
import lottery.ShortListPage;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.SubmissionFlaw;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.StrategyCommand;
import lottery.api.strategy.StrategyCommand.DefineStrategy;
import lottery.api.strategy.StrategyCommand.ReviseStrategy;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyEvent;
import lottery.api.strategy.StrategyId;
import lottery.rule.CompiledStrategy;
import lottery.store.axon.HistoryReader;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Defines, revises and shows strategies over REST. */
@RestController
@Tag(name = "Strategy", description = "Strategies: awards, odds and rules, in versions.")
class StrategyEndpoint {

    private static final String STRATEGIES = "/api/v1/strategies";

    /** The number of the last strategy of the page before. */
    private static final String CURSOR = "[1-9][0-9]{0,17}";

    /** The pattern of an entity tag, as it is in the answers or without its quotes. */
    private static final String ETAG = "\"?[0-9]{1,9}\"?";

    record StrategyVersion(StrategyId strategyId, int version) {}

    record StrategyDetails(StrategyId strategyId, int version, StrategyDefinition definition) {}

    /**
     * A strategy in a list.
     *
     * @param version its newest version
     * @param awards the titles of its awards
     */
    record ListedStrategy(StrategyId strategyId, int version, List<String> awards) {

        static ListedStrategy of(StrategyEvent newest) {
            return new ListedStrategy(
                    newest.strategyId(),
                    newest.version(),
                    newest.definition().awards().stream()
                            .map(AwardDefinition::title)
                            .toList());
        }
    }

    record StrategiesPage(
            List<ListedStrategy> items, @Nullable String next) {}

    private final EndpointCommandSender commands;
    private final StrategyCache strategies;
    private final HistoryReader history;

    StrategyEndpoint(EndpointCommandSender commands, StrategyCache strategies, HistoryReader history) {
        this.commands = commands;
        this.strategies = strategies;
        this.history = history;
    }

    @Operation(summary = "Define a strategy", description = """
                    Stores awards, odds and rules as version 1 of a strategy. The caller chooses the id, so the request
                    can be repeated: the same definition again returns 200. A different definition for an existing id is
                    refused with KEY_REUSED. Rates are exact decimals in strings. An inconsistent definition is refused
                    with STRATEGY_INVALID and its findings.""")
    @IdempotentCreation
    @PostMapping(STRATEGIES)
    ResponseEntity<StrategyVersion> defineStrategy(@Valid @RequestBody StrategyDefinitionRequest form) {
        Long number = form.strategyId();
        if (number == null) {
            throw flawed("/strategyId", MISSING);
        }
        StrategyId strategyId = new StrategyId(number);
        StrategyDefinition definition = form.definition();
        return switch (sent(new DefineStrategy(strategyId, definition))) {
            case Answer.Done<Integer>(Integer version) ->
                IdempotentReplyBuilder.created(
                        URI.create(STRATEGIES + "/" + strategyId.value()), new StrategyVersion(strategyId, version));
            // The operator's id is the idempotency key of this request: the same definition under it is the same
            // request.
            case Answer.No<Integer>(Refused refused) -> unlessAlready(strategyId, 1, definition, refused);
        };
    }

    @Operation(summary = "Add a version to a strategy", description = """
                    Stores a new version that is based on the version in `If-Match`. If there is a newer version, the
                    request is refused with VERSION_STALE. The same request again returns the same response. Activities
                    keep the version that was approved for them.""")
    @PutMapping(STRATEGIES + "/{strategyId}")
    ResponseEntity<StrategyVersion> reviseStrategy(
            @PathVariable StrategyId strategyId,
            @RequestHeader(HttpHeaders.IF_MATCH) @Pattern(regexp = ETAG) String basedOn,
            @Valid @RequestBody StrategyDefinitionRequest form) {
        Long inside = form.strategyId();
        if (inside != null && inside != strategyId.value()) {
            throw flawed("/strategyId", ID_DIFFERS);
        }
        int version = Integer.parseInt(basedOn.replace("\"", ""));
        StrategyDefinition definition = form.definition();
        return switch (sent(new ReviseStrategy(strategyId, version, definition))) {
            case Answer.Done<Integer>(Integer next) ->
                ResponseEntity.ok().eTag(Integer.toString(next)).body(new StrategyVersion(strategyId, next));
            case Answer.No<Integer>(Refused refused) -> unlessAlready(strategyId, version + 1, definition, refused);
        };
    }

    private static RefusedException flawed(String pointer, SubmissionFlaw.FlawKind flaw) {
        return new RefusedException(new Refused(Refusal.INVALID, pointer, List.of(new SubmissionFlaw(pointer, flaw))));
    }

    private Answer<Integer> sent(StrategyCommand command) {
        Answer<Integer> answer = commands.send(command);
        strategies.forget(command.strategyId());
        return answer;
    }

    private ResponseEntity<StrategyVersion> unlessAlready(
            StrategyId strategyId, int version, StrategyDefinition definition, Refused refused) {
        if (refused.why() != Refusal.KEY_REUSED && refused.why() != Refusal.VERSION_STALE) {
            throw new RefusedException(refused);
        }
        return strategies
                .find(strategyId, version)
                .filter(known -> known.definition().equals(definition))
                .map(known -> IdempotentReplyBuilder.repeated(new StrategyVersion(strategyId, version)))
                .orElseThrow(() -> new RefusedException(refused));
    }

    @Operation(summary = "List strategies", description = """
                    Returns the newest version of each strategy with the titles of its awards, in the order of the ids,
                    page by page. The list is read from the event log and not from a read model.""")
    @GetMapping(STRATEGIES)
    StrategiesPage listStrategies(
            @RequestParam(required = false) @Nullable @Pattern(regexp = CURSOR) String cursor,
            @RequestParam(defaultValue = "20") int limit) {
        ShortListPage<ListedStrategy> page = ShortListPage.after(
                cursor == null ? null : Long.valueOf(cursor),
                limit,
                () -> history.newestOfEach(StrategyId.PREFIX).stream()
                        .map(message -> ListedStrategy.of((StrategyEvent) message.getPayload())),
                strategy -> strategy.strategyId().value());
        return new StrategiesPage(page.items(), page.next());
    }

    @Operation(summary = "Show a strategy", description = """
                    Returns the newest version of a strategy, or the one in `version`, with costs and with the data for
                    fulfilment. The header `ETag` contains the version; send it as `If-Match` to add a version.""")
    @GetMapping(STRATEGIES + "/{strategyId}")
    ResponseEntity<StrategyDetails> getStrategy(
            @PathVariable StrategyId strategyId, @RequestParam(required = false) @Nullable Integer version) {
        Optional<CompiledStrategy> rules =
                version == null ? strategies.find(strategyId) : strategies.find(strategyId, version);
        return rules.map(found -> ResponseEntity.ok()
                        .eTag(Integer.toString(found.version()))
                        .body(new StrategyDetails(strategyId, found.version(), found.definition())))
                .orElseThrow(() -> new RefusedException(
                        Refusal.NOT_FOUND, strategyId.text() + (version == null ? "" : " (%d)".formatted(version))));
    }
}
