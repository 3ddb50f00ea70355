package lottery.proof;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.StrategyDefinition;
import lottery.rule.DrawReason;
import lottery.rule.DrawReason.AmountDrawn;
import lottery.rule.DrawReason.AwardsHeld;
import lottery.rule.DrawReason.Blacklisted;
import lottery.rule.DrawReason.EndedInNothing;
import lottery.rule.DrawReason.FallenBack;
import lottery.rule.DrawReason.LeftOut;
import lottery.rule.DrawReason.LimitReached;
import lottery.rule.DrawReason.Looked;
import lottery.rule.DrawReason.NoneLeft;
import lottery.rule.DrawReason.OverBudget;
import lottery.rule.DrawReason.Picked;
import lottery.rule.DrawReason.PickedNothing;
import lottery.rule.DrawReason.TierReached;
import lottery.rule.DrawReason.Won;
import lottery.rule.DrawSituation;
import org.springframework.context.support.ResourceBundleMessageSource;
import org.springframework.stereotype.Component;

/** Explains the outcome of a draw in Chinese and English, with one sentence for each reason. */
@Component
class DrawReasonTexts {

    private final ResourceBundleMessageSource texts = new ResourceBundleMessageSource();

    DrawReasonTexts() {
        texts.setBasename("lottery/proof/texts");
        texts.setDefaultEncoding(StandardCharsets.UTF_8.name());
        // The texts without a suffix are English. They are used for all other languages, instead of the language of the
        // machine.
        texts.setFallbackToSystemLocale(false);
    }

    List<String> why(List<DrawReason> reasons, StrategyDefinition definition, DrawSituation situation, Locale locale) {
        Explanation explanation = new Explanation(definition, situation, locale);
        return reasons.stream().map(explanation::sentence).toList();
    }

    /** Explains how anybody can recompute the draw without a server of the lottery. */
    String howToRecompute(Locale locale) {
        return text(locale, "recompute");
    }

    private String text(Locale locale, String key, Object... arguments) {
        return texts.getMessage(key, arguments, locale);
    }

    /**
     * Explains one draw. It remembers which award was picked, because later sentences about nodes of the tree name that
     * award.
     */
    private final class Explanation {

        private final StrategyDefinition definition;
        private final DrawSituation situation;
        private final Locale locale;
        private int picked;

        Explanation(StrategyDefinition definition, DrawSituation situation, Locale locale) {
            this.definition = definition;
            this.situation = situation;
            this.locale = locale;
        }

        String sentence(DrawReason reason) {
            return switch (reason) {
                case Blacklisted(int awardId) -> say(Blacklisted.class, title(awardId));
                case TierReached(int draw, int from, List<Integer> awardIds) ->
                    say(TierReached.class, Integer.toString(draw), Integer.toString(from), titles(awardIds));
                case AwardsHeld(List<Integer> awardIds) -> say(AwardsHeld.class, titles(awardIds));
                case OverBudget(List<Integer> awardIds) -> say(OverBudget.class, titles(awardIds));
                case LimitReached(List<Integer> awardIds) -> say(LimitReached.class, titles(awardIds));
                case LeftOut(List<Integer> soldOut) -> say(LeftOut.class, titles(soldOut));
                case Picked pick -> {
                    picked = pick.awardId();
                    yield say(
                            Picked.class,
                            title(picked),
                            pick.weight().toString(),
                            pick.of().toString());
                }
                case PickedNothing _ -> say(PickedNothing.class);
                case NoneLeft _ -> say(NoneLeft.class);
                case Looked looked -> looked(looked);
                case Won(int awardId) -> say(Won.class, title(awardId));
                case FallenBack(int awardId) -> say(FallenBack.class, title(awardId));
                case EndedInNothing _ -> say(EndedInNothing.class);
                case AmountDrawn amount ->
                    say(
                            AmountDrawn.class,
                            amount.amount().toPlainString(),
                            amount.min().toPlainString(),
                            amount.max().toPlainString());
            };
        }

        /**
         * Returns the sentence about a node of the tree. Each standard node has its own sentence. The nodes that an
         * operator has defined share one sentence.
         */
        private String looked(Looked looked) {
            String said = "%s.%s".formatted(looked.matter(), looked.value());
            return switch (said) {
                case "lock.open", "lock.locked" ->
                    lockOf(picked) == 0
                            ? say("Looked.lock.none", title(picked))
                            : say(
                                    "Looked." + said,
                                    title(picked),
                                    Integer.toString(lockOf(picked)),
                                    Integer.toString(situation.drawsBeforeToday()));
                case "stock.left", "stock.soldOut" -> say("Looked." + said, title(picked));
                default ->
                    say(
                            "Looked",
                            looked.node(),
                            String.valueOf(looked.matter()),
                            String.valueOf(looked.value()),
                            looked.to());
            };
        }

        /** Returns the sentence for a reason. The key of the sentence is the name of the reason's class. */
        private String say(Class<? extends DrawReason> reason, Object... arguments) {
            return say(reason.getSimpleName(), arguments);
        }

        private String say(String key, Object... arguments) {
            return text(locale, key, arguments);
        }

        private int lockOf(int awardId) {
            return definition.awards().stream()
                    .filter(award -> award.awardId() == awardId)
                    .mapToInt(AwardDefinition::lockedUntilDraws)
                    .findFirst()
                    .orElse(0);
        }

        private String titles(List<Integer> awardIds) {
            return awardIds.stream().map(this::title).collect(Collectors.joining(text(locale, "separator")));
        }

        private String title(int awardId) {
            return definition.awards().stream()
                    .filter(award -> award.awardId() == awardId)
                    .map(award -> text(locale, "award", award.title()))
                    .findFirst()
                    .orElseGet(() -> Integer.toString(awardId));
        }
    }
}
