package lottery.activity;

import static java.util.Objects.requireNonNull;
import static lottery.api.activity.ActivityState.ARRAIGNED;
import static lottery.api.activity.ActivityState.CLOSED;
import static lottery.api.activity.ActivityState.DOING;
import static lottery.api.activity.ActivityState.EDIT;
import static lottery.api.activity.ActivityState.OPENED;
import static lottery.api.activity.ActivityState.PASSED;
import static lottery.api.activity.ActivityState.PAUSED;
import static lottery.api.activity.ActivityState.REFUSED;

import java.math.BigDecimal;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import lottery.CommandTargets;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ActivityEvent;
import lottery.api.activity.ActivityEvent.ActivityClosed;
import lottery.api.activity.ActivityEvent.ActivityCreated;
import lottery.api.activity.ActivityEvent.ActivityOpened;
import lottery.api.activity.ActivityEvent.ActivityPassed;
import lottery.api.activity.ActivityEvent.ActivityPaused;
import lottery.api.activity.ActivityEvent.ActivityRefused;
import lottery.api.activity.ActivityEvent.ActivityStarted;
import lottery.api.activity.ActivityEvent.ActivitySubmitted;
import lottery.api.activity.ActivityEvent.StrategyAdopted;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ActivityState;
import lottery.api.activity.ApprovedStrategy;
import lottery.api.activity.ChanceBundle;
import lottery.api.activity.DrawPlan;
import lottery.api.activity.RoundCommitment;
import lottery.api.activity.SkuId;
import lottery.api.activity.SkuOffer;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyId;
import lottery.fairness.Beacons;
import lottery.fairness.Seed;
import lottery.fairness.SeedCache;
import lottery.fairness.SeedCipher;
import lottery.rule.CompiledStrategy;
import lottery.store.vault.SecretCipher;
import lottery.strategy.StrategyHash;
import org.axonframework.test.aggregate.AggregateTestFixture;
import org.axonframework.test.aggregate.FixtureConfiguration;

/** The aggregate of an activity, with what its tests need beside it: a strategy, a seed of zeros, and histories. */
final class ActivityFixture {

    static final ActivityId ID = new ActivityId(100);
    static final Instant BEGIN = Instant.parse("2026-11-21T04:00:00Z");
    static final Instant END = BEGIN.plusSeconds(3_600);

    static final StrategyId STRATEGY = new StrategyId(7);
    private static final CompiledStrategy RULES = CompiledStrategy.assemble(
            STRATEGY,
            1,
            StrategyDefinition.of(
                    StrategyDefinition.Mode.SINGLE,
                    List.of(AwardDefinition.of(1, "Tea", AwardType.TEXT, BigDecimal.ONE)
                            .build()),
                    null));

    static final ActivityCreated CREATED = new ActivityCreated(ID, definition(BEGIN, END));

    /** The seed of the first round with the random numbers of this test: a seed of zeros, and a nonce of zeros. */
    static final Seed ZEROS = Seed.of("00".repeat(32));

    static final ApprovedStrategy FIRST = new ApprovedStrategy(1, StrategyHash.of(RULES.definition()));

    static final ApprovedStrategy SECOND = new ApprovedStrategy(2, FIRST.hash());

    static final ActivityPassed PASSED_EVENT = new ActivityPassed(ID, 1, FIRST.hash());

    static final StrategyAdopted ADOPTED = new StrategyAdopted(ID, 2, SECOND.hash(), null);

    static final StrategyAdopted ADOPTED_IN_A_ROUND = adopted(SECOND);

    static final ActivityStarted STARTED = started(1);

    private static final SeedCipher VAULT = vault();

    /** The events that lead to each state. */
    private static final Map<ActivityState, List<ActivityEvent>> HISTORIES = Map.of(
            EDIT, List.of(CREATED),
            ARRAIGNED, List.of(CREATED, new ActivitySubmitted(ID)),
            PASSED, List.of(CREATED, new ActivitySubmitted(ID), PASSED_EVENT),
            REFUSED, List.of(CREATED, new ActivitySubmitted(ID), new ActivityRefused(ID)),
            DOING, List.of(CREATED, new ActivitySubmitted(ID), PASSED_EVENT, STARTED),
            PAUSED, List.of(CREATED, new ActivitySubmitted(ID), PASSED_EVENT, STARTED, new ActivityPaused(ID)),
            CLOSED, List.of(CREATED, new ActivitySubmitted(ID), PASSED_EVENT, new ActivityClosed(ID)),
            OPENED,
                    List.of(
                            CREATED,
                            new ActivitySubmitted(ID),
                            PASSED_EVENT,
                            new ActivityClosed(ID),
                            new ActivityOpened(ID)));

    Instant now = BEGIN;
    boolean isUndecided;

    final FixtureConfiguration<Activity> aggregate = new AggregateTestFixture<>(Activity.class)
            .registerCommandTargetResolver(new CommandTargets())
            .registerInjectableResource(VAULT)
            .registerInjectableResource(new SeedCache(VAULT))
            .registerInjectableResource(new Zeros())
            .registerInjectableResource(new SubmissionValidator(
                    id -> Optional.of(RULES).filter(rules -> rules.strategyId().equals(id)),
                    (_, _) -> Optional.empty(),
                    Beacons.none()))
            .registerInjectableResource(new StrategyVersionApprover(
                    _ -> Optional.of(RULES),
                    (id, version) -> Optional.of(CompiledStrategy.assemble(id, version, RULES.definition())),
                    (_, _) -> Optional.of("olga")))
            .registerInjectableResource((AwardExistenceLookup) (_, awardId) -> awardId == 1)
            .registerInjectableResource((OpenPoolLookup) _ -> isUndecided)
            .registerInjectableResource((InstantSource) () -> now);

    /** Returns the begin of an activity that is drawn at one time. */
    static ActivityCreated pooled() {
        ActivityDefinition plain = definition(BEGIN, END);
        return new ActivityCreated(
                ID,
                new ActivityDefinition(
                        plain.name(),
                        plain.description(),
                        BEGIN,
                        END,
                        plain.zone(),
                        STRATEGY,
                        null,
                        null,
                        null,
                        null,
                        null,
                        plain.skus(),
                        new DrawPlan(DrawPlan.DrawMode.SCHEDULED, END, BEGIN.plusSeconds(60), 0),
                        null));
    }

    static List<ActivityEvent> history(ActivityState state) {
        return requireNonNull(HISTORIES.get(state));
    }

    static ActivityDefinition definition(Instant beginsAt, Instant endsAt) {
        return definition(beginsAt, endsAt, STRATEGY);
    }

    static ActivityDefinition definition(Instant beginsAt, Instant endsAt, StrategyId strategyId) {
        return new ActivityDefinition(
                "Spring",
                null,
                beginsAt,
                endsAt,
                ZoneId.of("Asia/Shanghai"),
                strategyId,
                null,
                null,
                null,
                List.of(new SkuOffer(
                        new SkuId(9001), null, new ChanceBundle(10, 10, 10), null, null, null, null, null)));
    }

    static ActivityStarted started(int round) {
        return startedWith(round, FIRST);
    }

    static ActivityStarted startedWith(int round, ApprovedStrategy approved) {
        return new ActivityStarted(
                ID,
                round,
                ZEROS.commitment(),
                vault().seal(ZEROS, ID, round, new Zeros()),
                RoundCommitment.of(ID, round, ZEROS.commitment(), approved));
    }

    static StrategyAdopted adopted(ApprovedStrategy strategy) {
        return new StrategyAdopted(
                ID, strategy.version(), strategy.hash(), RoundCommitment.of(ID, 1, ZEROS.commitment(), strategy));
    }

    private static SeedCipher vault() {
        return new SeedCipher(SecretCipher.of(
                "LOTTERY_SEEDS", Map.of("k1", Base64.getEncoder().encodeToString(new byte[32])), "k1"));
    }

    /** Is predictable, so that the test knows the seed. */
    private static final class Zeros extends SecureRandom {

        @Override
        public void nextBytes(byte[] bytes) {
            Arrays.fill(bytes, (byte) 0);
        }
    }
}
