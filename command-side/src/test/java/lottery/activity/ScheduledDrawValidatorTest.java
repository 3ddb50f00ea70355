package lottery.activity;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import lottery.api.SubmissionFlaw;
import lottery.api.SubmissionFlaw.FlawKind;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ActivityEvent.ActivityCreated;
import lottery.api.activity.ActivityEvent.AwardHeld;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ChanceBundle;
import lottery.api.activity.DrawPlan;
import lottery.api.activity.DrawPlan.DrawMode;
import lottery.fairness.Beacons;
import lottery.fairness.PublicRandomness;
import lottery.rule.CompiledStrategy;
import lottery.rule.Described;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The check of a draw at one time")
class ScheduledDrawValidatorTest {

    private static final ActivityId ID = new ActivityId(100);
    private static final Instant BEGIN = Instant.parse("2026-11-21T04:00:00Z");
    private static final Instant END = Instant.parse("2026-11-21T08:00:00Z");
    private static final DrawPlan PLAN = plan("06:00", "07:00");
    private static final CompiledStrategy FIT =
            Described.single().limited(1, "1", 10).rules();
    private static final PublicRandomness BEACON = Beacons.of("5f3a9c01");

    private static DrawPlan plan(String entriesCloseAt, String drawAt) {
        return new DrawPlan(DrawMode.SCHEDULED, at(drawAt), at(entriesCloseAt), 0);
    }

    private static Instant at(String time) {
        return Instant.parse("2026-11-21T" + time + ":00Z");
    }

    private static ActivityDefinition definition(@Nullable DrawPlan plan) {
        return definition(plan, null);
    }

    private static ActivityDefinition definition(@Nullable DrawPlan plan, @Nullable Boolean queued) {
        return new ActivityDefinition(
                "Spring",
                null,
                BEGIN,
                END,
                ZoneOffset.UTC,
                Described.STRATEGY,
                null,
                new ChanceBundle(1, 1, 1),
                null,
                null,
                queued,
                List.of(),
                plan,
                null);
    }

    private static ActivityProgress activity(@Nullable DrawPlan plan) {
        return ActivityProgress.evolve(null, new ActivityCreated(ID, definition(plan)));
    }

    private static List<FlawKind> unfit(ActivityProgress activity, CompiledStrategy rules, PublicRandomness beacon) {
        return ScheduledDrawValidator.unfit(activity, Optional.of(rules), beacon).stream()
                .map(SubmissionFlaw::flaw)
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "06:00, 07:00, true",
        "06:00, 08:00, true",
        "06:00, 06:00, false",
        "07:00, 06:00, false",
        "04:00, 07:00, false",
        "06:00, 08:01, false"
    })
    @DisplayName("Entries close after the begin and before the draw, which is not after the end.")
    void times(String entriesCloseAt, String drawAt, boolean fits) {
        assertThat(ScheduledDrawValidator.unfitTimes(definition(plan(entriesCloseAt, drawAt)))
                        .isEmpty())
                .isEqualTo(fits);
        assertThat(ScheduledDrawValidator.unfitTimes(definition(null))).isEmpty();
    }

    @Test
    @DisplayName("It has no queue of draws.")
    void queue() {
        assertThat(ScheduledDrawValidator.unfitQueue(definition(PLAN, true)))
                .hasValue(new SubmissionFlaw("/queued", FlawKind.DRAW_QUEUED));
        assertThat(ScheduledDrawValidator.unfitQueue(definition(PLAN, false))).isEmpty();
        assertThat(ScheduledDrawValidator.unfitQueue(definition(null, true))).isEmpty();
    }

    @Test
    @DisplayName("It needs a source of public random values, and an activity that draws at once does not.")
    void beacon() {
        assertThat(unfit(activity(PLAN), FIT, BEACON)).isEmpty();
        assertThat(unfit(activity(PLAN), FIT, Beacons.none())).containsExactly(FlawKind.DRAW_WITHOUT_BEACON);
        assertThat(unfit(activity(null), FIT, Beacons.none())).isEmpty();
    }

    @Test
    @DisplayName("All its awards have a stock and are won by everybody alike.")
    void awards() {
        CompiledStrategy unfit = Described.single()
                .limited(1, "0.5", 10)
                .award(2, "0.3")
                .locked(3, "0.2", 1)
                .rules();
        assertThat(ScheduledDrawValidator.unfit(activity(PLAN), Optional.of(unfit), BEACON))
                .containsExactly(new SubmissionFlaw("/strategyId", FlawKind.DRAW_AWARDS_UNFIT, "2, 3"));
        assertThat(unfit(activity(null), unfit, BEACON)).isEmpty();
    }

    @Test
    @DisplayName("None of its awards is held, since places win all of them.")
    void held() {
        ActivityProgress held =
                Objects.requireNonNull(ActivityProgress.evolve(activity(PLAN), new AwardHeld(ID, 1, "wrong codes")));
        assertThat(ScheduledDrawValidator.unfit(held, Optional.of(FIT), BEACON))
                .containsExactly(new SubmissionFlaw("/draw", FlawKind.DRAW_AWARDS_HELD, "1"));
    }
}
