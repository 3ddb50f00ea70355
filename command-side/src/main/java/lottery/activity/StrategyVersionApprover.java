package lottery.activity;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import lottery.SecondPerson;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.SubmissionFlaw;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ApprovedStrategy;
import lottery.api.strategy.StrategyId;
import lottery.rule.BudgetValidator;
import lottery.rule.CompiledStrategy;
import lottery.strategy.StrategyCache;
import lottery.strategy.StrategyHash;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/** Approves versions of strategies. Nobody approves a version that he has written himself. */
@Component
class StrategyVersionApprover {

    private final Function<StrategyId, Optional<CompiledStrategy>> newest;
    private final BiFunction<StrategyId, Integer, Optional<CompiledStrategy>> versions;
    private final BiFunction<StrategyId, Integer, Optional<String>> authors;

    @Autowired
    StrategyVersionApprover(StrategyCache strategies) {
        this(strategies::findInLog, strategies::find, strategies::authorOf);
    }

    StrategyVersionApprover(
            Function<StrategyId, Optional<CompiledStrategy>> newest,
            BiFunction<StrategyId, Integer, Optional<CompiledStrategy>> versions,
            BiFunction<StrategyId, Integer, Optional<String>> authors) {
        this.newest = newest;
        this.versions = versions;
        this.authors = authors;
    }

    /**
     * Approves the newest version.
     *
     * @param seen the version that the approver has looked at; null if any version will do
     */
    Answer<ApprovedStrategy> ofNewest(ActivityDefinition activity, @Nullable Integer seen) {
        StrategyId strategyId = activity.strategyId();
        Optional<CompiledStrategy> rules = newest.apply(strategyId);
        if (rules.isPresent() && seen != null && seen != rules.get().version()) {
            return Answer.no(new Refused(
                    Refusal.VERSION_STALE,
                    "%s (%d)".formatted(strategyId.text(), rules.get().version())));
        }
        return approved(activity, rules);
    }

    /** Approves one version. */
    Answer<ApprovedStrategy> of(ActivityDefinition activity, int version) {
        return approved(activity, versions.apply(activity.strategyId(), version));
    }

    private Answer<ApprovedStrategy> approved(ActivityDefinition activity, Optional<CompiledStrategy> rules) {
        StrategyId strategyId = activity.strategyId();
        if (rules.isEmpty()) {
            return Answer.no(new Refused(Refusal.NOT_FOUND, strategyId.text() + " in this version"));
        }
        int version = rules.get().version();
        return SecondPerson.agreeing(
                        "%s, version %d".formatted(strategyId.text(), version),
                        "written",
                        authors.apply(strategyId, version).stream().toList())
                .then(_ -> fit(activity, rules.get()));
    }

    private static Answer<ApprovedStrategy> fit(ActivityDefinition activity, CompiledStrategy rules) {
        List<SubmissionFlaw> findings =
                new ArrayList<>(ScheduledDrawValidator.unfitAwards(activity, Optional.of(rules)));
        findings.addAll(BudgetValidator.unfitAwards(activity, rules));
        return findings.isEmpty()
                ? Answer.done(new ApprovedStrategy(rules.version(), StrategyHash.of(rules.definition())))
                : Answer.no(new Refused(
                        Refusal.STRATEGY_INVALID, activity.strategyId().text(), findings));
    }
}
