package lottery.strategy;

import jakarta.validation.Valid;
import java.net.URI;
import lottery.Commands;
import lottery.Reply;
import lottery.api.Answer;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.strategy.StrategyCommand.DefineStrategy;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyId;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Strategies over REST. */
@RestController
class StrategyEndpoint {

    record Defined(StrategyId strategyId, int version) {}

    private final Commands commands;
    private final Strategies strategies;

    StrategyEndpoint(Commands commands, Strategies strategies) {
        this.commands = commands;
        this.strategies = strategies;
    }

    @PostMapping("/api/v1/strategies")
    ResponseEntity<Defined> define(@Valid @RequestBody StrategyForm form) {
        StrategyId strategyId = new StrategyId(form.strategyId());
        StrategyDefinition definition = form.definition();
        return switch (commands.send(new DefineStrategy(strategyId, definition))) {
            case Answer.Done<Integer>(Integer version) ->
                Reply.created(URI.create("/api/v1/strategies/" + strategyId.value()), new Defined(strategyId, version));
            case Answer.No<Integer>(Refused refused) ->
                // The operator's id is the key of this request: the same definition again is the same request.
                strategies
                        .find(strategyId)
                        .filter(known ->
                                known.version() == 1 && known.definition().equals(definition))
                        .map(known -> Reply.repeated(new Defined(strategyId, known.version())))
                        .orElseThrow(() -> new RefusedException(refused));
        };
    }
}
