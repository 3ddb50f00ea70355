package lottery.activity;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ActivityEvent;
import lottery.api.activity.ActivityEvent.ActivityCreated;
import lottery.api.activity.ActivityEvent.ActivityEdited;
import lottery.api.activity.ActivityEvent.ActivityPassed;
import lottery.api.activity.ActivityEvent.ActivityRefused;
import lottery.api.activity.ActivityEvent.ActivityRevoked;
import lottery.api.activity.ActivityEvent.ActivitySubmitted;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ApprovedStrategy;
import lottery.api.activity.ChanceBundle;
import lottery.api.activity.SkuId;
import lottery.api.activity.SkuLimit;
import lottery.api.activity.SkuOffer;
import lottery.api.strategy.StrategyId;
import lottery.store.trace.Actor;
import org.axonframework.eventhandling.GenericEventMessage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The review of an activity")
class ActivityReviewFactsTest {

    private static final ActivityId ID = new ActivityId(7);

    private static ActivityDefinition named(String name) {
        return new ActivityDefinition(
                name,
                "For everybody",
                Instant.parse("2026-01-01T00:00:00Z"),
                Instant.parse("2027-01-01T00:00:00Z"),
                ZoneId.of("Asia/Tokyo"),
                new StrategyId(3),
                1_000,
                new ChanceBundle(3, 2, 1),
                true,
                List.of(new SkuOffer(
                        new SkuId(70),
                        "Two more",
                        new ChanceBundle(2, 2, 2),
                        500,
                        new BigDecimal("2.5"),
                        new SkuLimit(5, SkuLimit.Period.DAY),
                        null,
                        null)));
    }

    private static ActivityReviewFacts after(@Nullable ActivityReviewFacts before, String actor, ActivityEvent event) {
        return ActivityReviewFacts.evolve(before, new GenericEventMessage<>(event, Map.of(Actor.NAME_KEY, actor)));
    }

    @Test
    @DisplayName("It keeps what was passed last, whatever was edited since, and who has written and submitted it")
    void passed() {
        ActivityReviewFacts review = after(null, "olga", new ActivityCreated(ID, named("Spring")));
        assertThat(review.actions()).containsExactly(ActivityAction.SUBMIT, ActivityAction.CLOSE);
        assertThat(review.passed()).isNull();
        review = after(review, "otto", new ActivitySubmitted(ID));
        review = after(review, "paul", new ActivityPassed(ID, 2, "ff"));
        review = after(review, "paul", new ActivityRefused(ID));
        review = after(review, "olga", new ActivityRevoked(ID));
        review = after(review, "oscar", new ActivityEdited(ID, named("Summer")));

        assertThat(Objects.requireNonNull(review.passed()).name()).isEqualTo("Spring");
        assertThat(review.approved()).isEqualTo(new ApprovedStrategy(2, "ff"));
        assertThat(review.activity().definition().name()).isEqualTo("Summer");
        assertThat(review.writers()).containsExactly("olga", "oscar");
        assertThat(review.submittedBy()).isEqualTo("otto");
        assertThat(review.authors()).containsExactlyInAnyOrder("olga", "oscar", "otto");
    }

    @Test
    @DisplayName("The form that shows a definition defines the same again")
    void form() {
        ActivityDefinition definition = named("Spring");
        assertThat(ActivityDefinitionRequest.of(ID, definition).definition()).isEqualTo(definition);
    }
}
