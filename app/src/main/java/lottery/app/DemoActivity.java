package lottery.app;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import lottery.EndpointCommandSender;
import lottery.api.Answer;
import lottery.api.Command;
import lottery.api.Money;
import lottery.api.Refusal;
import lottery.api.activity.ActivityCommand.CreateActivity;
import lottery.api.activity.ActivityCommand.PassActivity;
import lottery.api.activity.ActivityCommand.StartActivity;
import lottery.api.activity.ActivityCommand.SubmitActivity;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ChanceBundle;
import lottery.api.activity.SkuId;
import lottery.api.activity.SkuOffer;
import lottery.api.entitlement.ContentId;
import lottery.api.proposal.ProposalCommand.AgreeToProposal;
import lottery.api.proposal.ProposalCommand.ProposeAction;
import lottery.api.proposal.ProposedAction;
import lottery.api.rebate.Rebate;
import lottery.api.rebate.RebateLimit;
import lottery.api.rebate.RebateLimit.RebatePeriod;
import lottery.api.rebate.RebateRuleDefinition;
import lottery.api.rebate.RebateRuleDefinition.RebateRuleState;
import lottery.api.rebate.RebateRuleId;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.StrategyCommand.DefineStrategy;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyDefinition.Mode;
import lottery.api.strategy.StrategyId;
import org.axonframework.spring.config.SpringAxonConfiguration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.SmartLifecycle;

/**
 * Creates and starts a demo activity, so that a user can try the lottery without preparation. If the activity already
 * exists, it stays as it is. The activity is there before the first request is answered: this bean starts after the
 * command handlers and before the web server.
 */
@ConditionalOnProperty("lottery.demo")
class DemoActivity implements SmartLifecycle {

    private static final int AFTER_COMMAND_HANDLERS = SpringAxonConfiguration.LIFECYCLE_PHASE + 1;

    static final ActivityId ACTIVITY = new ActivityId(100);
    static final SkuId SKU = new SkuId(9001);

    private static final SkuId SKU_FOR_CREDITS = new SkuId(9002);
    private static final SkuId REWARD = new SkuId(9003);
    private static final SkuId SKU_FOR_MONEY = new SkuId(9004);

    /**
     * The price of a SKU. It equals the credits that the demo's CREDIT award gives, so that a winner of this award can
     * buy another draw.
     */
    private static final BigDecimal PRICE = BigDecimal.valueOf(20);

    private static final StrategyId STRATEGY = new StrategyId(100);
    /**
     * The free chances of each user, with up to ten draws a day, so that a user can try the demo without a recharge.
     */
    private static final ChanceBundle FREE = new ChanceBundle(1_000, 300, 10);

    private static final Duration LASTS = Duration.ofDays(3650);

    private final EndpointCommandSender commands;
    private final InstantSource clock;
    private volatile boolean isRunning;

    DemoActivity(EndpointCommandSender commands, InstantSource clock) {
        this.commands = commands;
        this.clock = clock;
    }

    @Override
    public void start() {
        create();
        isRunning = true;
    }

    @Override
    public void stop() {
        isRunning = false;
    }

    @Override
    public boolean isRunning() {
        return isRunning;
    }

    @Override
    public int getPhase() {
        return AFTER_COMMAND_HANDLERS;
    }

    private void create() {
        Instant now = clock.instant();
        int rules = 9000;
        send(new DefineStrategy(STRATEGY, strategy()));
        if (send(new CreateActivity(ACTIVITY, activity(now)))) {
            for (RebateRuleDefinition rule : List.of(signIn(), week(), share())) {
                RebateRuleId id = new RebateRuleId(++rules);
                ProposeAction proposal = new ProposeAction(ProposedAction.adoption(id, 1, rule), null);
                send(proposal);
                send(new AgreeToProposal(proposal.proposalId()));
            }
        }
        send(new SubmitActivity(ACTIVITY));
        send(new PassActivity(ACTIVITY, null, null));
        send(new StartActivity(ACTIVITY));
    }

    /**
     * Sends a command. If an earlier start has already done this step, the command is refused, which is no error.
     *
     * @return whether the step was done now
     */
    private boolean send(Command<?> command) {
        return switch (commands.send(command)) {
            case Answer.Done<?> _ -> true;
            case Answer.No<?> no
            when no.refused().why() != Refusal.KEY_REUSED && no.refused().why() != Refusal.ACTIVITY_STATE ->
                throw new IllegalStateException("the demo activity was refused: " + no.refused());
            case Answer.No<?> _ -> false;
        };
    }

    private static StrategyDefinition strategy() {
        return StrategyDefinition.of(
                Mode.SINGLE,
                List.of(
                        text(101, "A cup of coffee", "0.5", 1, 0),
                        text(102, "A cinema ticket", "0.2", 2, 0),
                        text(103, "A weekend by the sea", "0.05", 3, 2),
                        award(104, "20 points", AwardType.CREDIT, Map.of("credits", "20"), "0.2", 4, 0),
                        // Another system ships this award. That system gets the invoice over Kafka when the winner has
                        // given an address.
                        award(105, "A bicycle", AwardType.PHYSICAL, Map.of(), "0.05", 5, 0)),
                101);
    }

    private static AwardDefinition text(int awardId, String title, String rate, int sort, int lockedUntilDraws) {
        return award(
                awardId,
                title,
                AwardType.TEXT,
                Map.of("text", "Show this to collect: " + title),
                rate,
                sort,
                lockedUntilDraws);
    }

    private static AwardDefinition award(
            int awardId,
            String title,
            AwardType type,
            Map<String, String> config,
            String rate,
            int sort,
            int lockedUntilDraws) {
        return AwardDefinition.of(awardId, title, type, new BigDecimal(rate))
                .config(config)
                .sort(sort)
                .lockedUntilDraws(lockedUntilDraws)
                .build();
    }

    private static ActivityDefinition activity(Instant now) {
        return new ActivityDefinition(
                "The demo activity",
                null,
                now,
                now.plus(LASTS),
                ZoneId.of("Asia/Shanghai"),
                STRATEGY,
                null,
                FREE,
                null,
                List.of(
                        new SkuOffer(SKU, "Sign-in", new ChanceBundle(10, 10, 10), null, null, null, null, null),
                        new SkuOffer(
                                SKU_FOR_CREDITS,
                                "Two more draws",
                                new ChanceBundle(2, 2, 2),
                                null,
                                PRICE,
                                null,
                                null,
                                null),
                        new SkuOffer(REWARD, "One more draw", new ChanceBundle(1, 1, 1), null, null, null, null, null),
                        new SkuOffer(
                                SKU_FOR_MONEY,
                                "Five more draws",
                                new ChanceBundle(5, 5, 5),
                                null,
                                null,
                                null,
                                new Money(new BigDecimal("9.90"), "CNY"),
                                new ContentId("making-of"))));
    }

    private static RebateRuleDefinition signIn() {
        return rule(RebateRuleDefinition.SIGN, Rebate.ofSku(ACTIVITY, REWARD), null, null);
    }

    /** Signing in on seven days in a row earns credits for two more draws. */
    private static RebateRuleDefinition week() {
        return rule(RebateRuleDefinition.SIGN, Rebate.ofCredits(PRICE), null, 7);
    }

    private static RebateRuleDefinition share() {
        return rule("share", Rebate.ofSku(ACTIVITY, REWARD), new RebateLimit(1, RebatePeriod.DAY), null);
    }

    private static RebateRuleDefinition rule(
            String behaviour, Rebate rebate, @Nullable RebateLimit limit, @Nullable Integer streak) {
        return new RebateRuleDefinition(behaviour, List.of(rebate), limit, streak, RebateRuleState.OPEN);
    }
}
