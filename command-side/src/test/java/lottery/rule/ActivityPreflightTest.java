package lottery.rule;

import static lottery.rule.ActivityPreflight.Severity.REFUSES;
import static lottery.rule.ActivityPreflight.Severity.WARNS;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import lottery.api.SubmissionFlaw;
import lottery.api.SubmissionFlaw.FlawKind;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ChanceBundle;
import lottery.api.activity.SkuId;
import lottery.api.activity.SkuOffer;
import lottery.api.strategy.AwardType;
import lottery.rule.ActivityPreflight.Concern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The check of an activity before its submission")
class ActivityPreflightTest {

    private static final Instant BEGIN = Instant.parse("2026-03-01T00:00:00Z");
    private static final Instant END = Instant.parse("2026-03-31T00:00:00Z");

    private final ActivityDefinition activity = activity(new ChanceBundle(10, 5, 2), new ChanceBundle(1, 1, 1));

    @Test
    @DisplayName("A correct activity has no findings.")
    void ready() {
        CompiledStrategy rules = Described.single()
                .award(1, "0.5")
                .limited(2, "0.3", 5)
                .locked(3, "0.2", 2)
                .fallback(1)
                .rules();
        assertThat(ActivityPreflight.concerns(activity, Optional.of(rules), BEGIN))
                .isEmpty();
        assertThat(ActivityPreflight.concerns(activity, Optional.of(rules), END))
                .isEmpty();
    }

    @Nested
    @DisplayName("Findings that prevent the submission")
    class RefusedSubmission {

        @Test
        @DisplayName("An activity without a strategy whose end has passed has both findings.")
        void all() {
            assertThat(ActivityPreflight.concerns(activity, Optional.empty(), END.plusNanos(1)))
                    .containsExactly(
                            new Concern(new SubmissionFlaw("/endsAt", FlawKind.ENDS_IN_THE_PAST), REFUSES),
                            new Concern(new SubmissionFlaw("/strategyId", FlawKind.STRATEGY_UNKNOWN), REFUSES));
        }

        @Test
        @DisplayName("Warnings do not prevent the submission.")
        void withoutWarnings() {
            CompiledStrategy rules = Described.single().limited(2, "0.3", 5).rules();
            assertThat(ActivityPreflight.findings(activity, Optional.of(rules), BEGIN))
                    .isEmpty();
            assertThat(ActivityPreflight.findings(activity, Optional.of(rules), END.plusNanos(1)))
                    .containsExactly(new SubmissionFlaw("/endsAt", FlawKind.ENDS_IN_THE_PAST));
        }
    }

    @Nested
    @DisplayName("Warnings")
    class Warned {

        @Test
        @DisplayName("A limited or locked award without a fallback causes a warning, because draws may win nothing.")
        void noFallback() {
            Described awards = Described.single()
                    .award(1, "0.4")
                    .limited(2, "0.3", 5)
                    .locked(3, "0.2", 2)
                    .award(4, "0.1")
                    .perUser(1);
            assertThat(concerns(awards)).containsExactly(warning("/strategyId", FlawKind.FALLBACK_MISSING, "2, 3, 4"));
            assertThat(concerns(awards.fallback(1))).isEmpty();
        }

        @Test
        @DisplayName("Credits without a number cause a warning.")
        void noCredits() {
            Described awards = Described.single()
                    .typed(AwardType.CREDIT, 1, "0.5", Map.of("credits", "10"))
                    .typed(AwardType.CREDIT, 2, "0.1", Map.of())
                    .typed(AwardType.CREDIT, 3, "0.1", Map.of("points", "10"));
            assertThat(concerns(awards))
                    .containsExactly(
                            warning("/strategyId", FlawKind.CREDITS_MISSING, "2"),
                            warning("/strategyId", FlawKind.CREDITS_MISSING, "3"));
        }

        @Test
        @DisplayName("If awards share their odds, only a locked award without a fallback causes the warning.")
        void noFallbackInOverall() {
            Described awards =
                    Described.overall().award(1, "0.5").limited(2, "0.3", 5).locked(3, "0.2", 2);
            assertThat(concerns(awards)).containsExactly(warning("/strategyId", FlawKind.FALLBACK_MISSING, "3"));
        }

        @ParameterizedTest(name = "needs {0} draws before: {1}")
        @CsvSource({"1, false", "2, false", "3, true", "4, true"})
        @DisplayName("A lock that the chances of all SKUs together, three a day, do not open causes a warning.")
        void outOfReach(int untilDraws, boolean isOutOfReach) {
            Described awards = Described.single()
                    .award(1, "0.5")
                    .locked(3, "0.2", untilDraws)
                    .fallback(1);
            assertThat(concerns(awards).equals(List.of(warning("/skus", FlawKind.LOCK_OUT_OF_REACH, "3"))))
                    .isEqualTo(isOutOfReach);
            assertThat(concerns(awards).isEmpty()).isEqualTo(!isOutOfReach);
        }

        @Test
        @DisplayName("A lock that needs more chances in a day than there are in a month causes a warning.")
        void outOfReachInTheMonth() {
            Described awards =
                    Described.single().award(1, "0.5").locked(3, "0.2", 2).fallback(1);
            assertThat(ActivityPreflight.concerns(
                            activity(new ChanceBundle(10, 2, 10)), Optional.of(awards.rules()), BEGIN))
                    .containsExactly(warning("/skus", FlawKind.LOCK_OUT_OF_REACH, "3"));
        }

        @Test
        @DisplayName("Coupons without a webhook cause a warning, because another system has to hand them over.")
        void couponWithoutUrl() {
            Described awards = Described.single()
                    .award(1, "0.5")
                    .typed(AwardType.COUPON, 2, "0.2", Map.of())
                    .typed(AwardType.COUPON, 3, "0.2", Map.of("url", "https://coupons.example"));
            assertThat(concerns(awards)).containsExactly(warning("/strategyId", FlawKind.URL_MISSING, "2"));
        }

        private List<Concern> concerns(Described strategy) {
            return ActivityPreflight.concerns(activity, Optional.of(strategy.rules()), BEGIN);
        }

        private static Concern warning(String pointer, FlawKind flaw, String subject) {
            return new Concern(new SubmissionFlaw(pointer, flaw, subject), WARNS);
        }
    }

    private static ActivityDefinition activity(ChanceBundle... bundles) {
        return new ActivityDefinition(
                "Spring",
                null,
                BEGIN,
                END,
                ZoneOffset.UTC,
                Described.STRATEGY,
                null,
                null,
                null,
                IntStream.range(0, bundles.length)
                        .mapToObj(i -> new SkuOffer(new SkuId(i + 1), null, bundles[i], null, null, null, null, null))
                        .toList());
    }
}
