package lottery.saga.rebate;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import lottery.api.Answer;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.activity.SkuId;
import lottery.api.rebate.BehaviourCommand.GiveRebate;
import lottery.api.rebate.BehaviourEvent.BehaviourReported;
import lottery.api.rebate.BehaviourEvent.RebateDropped;
import lottery.api.rebate.BehaviourEvent.RebateGiven;
import lottery.api.rebate.BehaviourEvent.RebateRefused;
import lottery.api.rebate.BehaviourId;
import lottery.api.rebate.BehaviourProgress;
import lottery.api.rebate.OrderedRebate;
import lottery.api.rebate.Rebate;
import lottery.api.rebate.RebateProgress;
import lottery.api.rebate.RebateRuleId;
import lottery.saga.command.SagaCommands;
import org.axonframework.test.saga.SagaTestFixture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The saga of a behaviour")
class RebateSagaTest {

    private static final UserId ANN = new UserId("ann");
    private static final RebateRuleId RULE = new RebateRuleId(7);
    private static final BehaviourId ID = BehaviourId.of(ANN, "share", "one");
    private static final Instant NOON = Instant.parse("2026-11-26T04:00:00Z");
    private static final OrderedRebate CHANCES =
            new OrderedRebate(RULE, 1, 0, Rebate.ofSku(new ActivityId(100), new SkuId(1)), null);
    private static final OrderedRebate CREDITS = new OrderedRebate(RULE, 1, 1, Rebate.ofCredits(BigDecimal.ONE), null);
    private static final OrderedRebate BEYOND =
            new OrderedRebate(RULE, 1, 1, Rebate.ofCredits(BigDecimal.ONE), RebateProgress.RULE_LIMIT);
    private static final BehaviourReported BOTH = reported(CHANCES, CREDITS);

    private final SagaTestFixture<RebateSaga> saga = new SagaTestFixture<>(RebateSaga.class);

    /** The notes for the desk, and their ends. */
    private final List<String> desk = new ArrayList<>();

    private static BehaviourReported reported(OrderedRebate... rebates) {
        return new BehaviourReported(ID, ANN, "share", "one", NOON, List.of(rebates));
    }

    private static RebateGiven given(int index) {
        return new RebateGiven(ID, ANN, RULE, index, "credit:33:ann#1");
    }

    private static RebateRefused refused(int index, String reason) {
        return new RebateRefused(ID, ANN, RULE, index, reason);
    }

    private static GiveRebate give(int index) {
        return new GiveRebate(ID, RULE, index, false);
    }

    @BeforeEach
    void resources() {
        saga.setCallbackBehavior((_, _) -> Answer.done(ID));
        saga.registerResource((InstantSource) () -> NOON);
        saga.registerResource(new SagaCommands(Runnable::run));
        saga.registerResource(new RefusedRebateRecorder() {

            @Override
            public void note(BehaviourProgress behaviour, RebateProgress rebate, Instant now) {
                desk.add(rebate.index() + " " + rebate.reason());
            }

            @Override
            public void over(BehaviourId behaviourId, RebateRuleId ruleId, int index) {
                desk.add(index + " over");
            }
        });
    }

    @Test
    @DisplayName("The saga begins with the report, and asks for each rebate.")
    void begins() {
        saga.givenNoPriorActivity()
                .whenPublishingA(BOTH)
                .expectActiveSagas(1)
                .expectAssociationWith("behaviourId", ID.text())
                .expectDispatchedCommands(give(0), give(1));
    }

    @Test
    @DisplayName("The saga asks only for rebates that are not refused already.")
    void refusedAtOnce() {
        saga.givenNoPriorActivity().whenPublishingA(reported(CHANCES, BEYOND)).expectDispatchedCommands(give(0));
    }

    @Test
    @DisplayName("A behaviour that earns nothing has no saga.")
    void earnsNothing() {
        saga.givenNoPriorActivity()
                .whenPublishingA(reported())
                .expectActiveSagas(0)
                .expectNoDispatchedCommands();
        saga.givenNoPriorActivity().whenPublishingA(reported(BEYOND)).expectActiveSagas(0);
    }

    @Test
    @DisplayName("The saga is the same one when the report is handled again, and asks for nothing twice.")
    void reportedAgain() {
        saga.givenAPublished(BOTH).whenPublishingA(BOTH).expectActiveSagas(1).expectNoDispatchedCommands();
    }

    @Test
    @DisplayName("The saga ends when all rebates are given.")
    void allGiven() {
        saga.givenAPublished(BOTH).whenPublishingA(given(0)).expectActiveSagas(1);
        saga.givenAPublished(BOTH)
                .andThenAPublished(given(0))
                .whenPublishingA(given(1))
                .expectActiveSagas(0)
                .expectNoDispatchedCommands();
    }

    @Test
    @DisplayName("A refused rebate waits on the desk, and the saga ends when a person gives it or gives it up.")
    void waits() {
        saga.givenAPublished(BOTH)
                .andThenAPublished(given(0))
                .whenPublishingA(refused(1, "SKU_SOLD_OUT"))
                .expectActiveSagas(1);
        assertThat(desk).endsWith("1 SKU_SOLD_OUT");
        saga.givenAPublished(BOTH)
                .andThenAPublished(given(0))
                .andThenAPublished(refused(1, "SKU_SOLD_OUT"))
                .whenPublishingA(given(1))
                .expectActiveSagas(0);
        assertThat(desk).endsWith("1 SKU_SOLD_OUT", "1 over");
        saga.givenAPublished(BOTH)
                .andThenAPublished(given(0))
                .andThenAPublished(refused(1, "SKU_SOLD_OUT"))
                .whenPublishingA(new RebateDropped(ID, ANN, RULE, 1))
                .expectActiveSagas(0);
        assertThat(desk).endsWith("1 SKU_SOLD_OUT", "1 over");
    }

    @Test
    @DisplayName("A rebate that was refused by the user's own limit needs no person.")
    void ownLimit() {
        saga.givenAPublished(reported(CHANCES))
                .whenPublishingA(refused(0, "SKU_LIMIT"))
                .expectActiveSagas(0);
        assertThat(desk).containsExactly("0 over");
    }

    @Test
    @DisplayName("The rebates that are still ordered are asked for again, with growing pauses, and no others.")
    void pauses() {
        RebateSagaState begun = RebateSagaState.of(BOTH, NOON);
        assertThat(begun.dueAt()).isEqualTo(NOON.plusSeconds(2));
        assertThat(begun.isDue()).isTrue();
        RebateSagaState later = begun.after(given(0)).asked(NOON.plusSeconds(2));
        assertThat(later.commands()).containsExactly(give(1));
        assertThat(later.dueAt()).isEqualTo(NOON.plusSeconds(6));
        assertThat(later.after(refused(1, "SKU_SOLD_OUT")).isDue()).isFalse();
    }
}
