package lottery.activity;

import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.activity.ApprovedStrategy;
import lottery.api.strategy.StrategyId;
import lottery.rule.DrawRules;
import lottery.strategy.StrategyCache;
import lottery.strategy.StrategyHash;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/** Approves versions of strategies. Nobody approves a version that he has written himself. */
@Component
class StrategyApproval {

    private final Function<StrategyId, Optional<DrawRules>> newest;
    private final BiFunction<StrategyId, Integer, Optional<DrawRules>> versions;
    private final BiFunction<StrategyId, Integer, Optional<String>> authors;

    @Autowired
    StrategyApproval(StrategyCache strategies) {
        this(strategies::find, strategies::find, strategies::authorOf);
    }

    StrategyApproval(
            Function<StrategyId, Optional<DrawRules>> newest,
            BiFunction<StrategyId, Integer, Optional<DrawRules>> versions,
            BiFunction<StrategyId, Integer, Optional<String>> authors) {
        this.newest = newest;
        this.versions = versions;
        this.authors = authors;
    }

    /**
     * Approves the newest version.
     *
     * @param seen the version that was looked at; null: any
     */
    Answer<ApprovedStrategy> ofNewest(StrategyId strategyId, @Nullable Integer seen, Optional<String> approver) {
        Optional<DrawRules> rules = newest.apply(strategyId);
        if (rules.isPresent() && seen != null && seen != rules.get().version()) {
            return Answer.no(new Refused(
                    Refusal.VERSION_STALE,
                    "%s (%d)".formatted(strategyId.text(), rules.get().version())));
        }
        return approved(strategyId, rules, approver);
    }

    /** Approves one version. */
    Answer<ApprovedStrategy> of(StrategyId strategyId, int version, Optional<String> approver) {
        return approved(strategyId, versions.apply(strategyId, version), approver);
    }

    private Answer<ApprovedStrategy> approved(
            StrategyId strategyId, Optional<DrawRules> rules, Optional<String> approver) {
        if (rules.isEmpty()) {
            return Answer.no(new Refused(Refusal.NOT_FOUND, strategyId.text() + " in this version"));
        }
        int version = rules.get().version();
        if (approver.isPresent() && approver.equals(authors.apply(strategyId, version))) {
            return Answer.no(new Refused(
                    Refusal.FORBIDDEN,
                    "%s, version %d (written by %s)".formatted(strategyId.text(), version, approver.get())));
        }
        return Answer.done(
                new ApprovedStrategy(version, StrategyHash.of(rules.get().definition())));
    }
}
