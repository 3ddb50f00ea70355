package lottery.api;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import lottery.api.account.AccountEvent.AccountOpened;
import lottery.api.account.AccountEvent.AccountRecharged;
import lottery.api.account.AccountEvent.ChanceReturned;
import lottery.api.account.AccountEvent.ChanceSpent;
import lottery.api.account.AccountEvent.LimitedAwardWon;
import lottery.api.account.AccountEvent.LimitedSkuTaken;
import lottery.api.account.AccountEvent.OpenOrderUsed;
import lottery.api.account.RechargeEvent.RechargeClosed;
import lottery.api.account.RechargeEvent.RechargeCompleted;
import lottery.api.account.RechargeEvent.RechargeOrdered;
import lottery.api.account.RechargeId;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ActivityEvent.ActivityClosed;
import lottery.api.activity.ActivityEvent.ActivityCreated;
import lottery.api.activity.ActivityEvent.ActivityEdited;
import lottery.api.activity.ActivityEvent.ActivityOpened;
import lottery.api.activity.ActivityEvent.ActivityPassed;
import lottery.api.activity.ActivityEvent.ActivityPaused;
import lottery.api.activity.ActivityEvent.ActivityRefused;
import lottery.api.activity.ActivityEvent.ActivityResumed;
import lottery.api.activity.ActivityEvent.ActivityRevoked;
import lottery.api.activity.ActivityEvent.ActivityStarted;
import lottery.api.activity.ActivityEvent.ActivitySubmitted;
import lottery.api.activity.ActivityEvent.AwardHeld;
import lottery.api.activity.ActivityEvent.HeldAwardReleased;
import lottery.api.activity.ActivityEvent.SeedPublished;
import lottery.api.activity.ActivityEvent.StrategyAdopted;
import lottery.api.activity.ActivityId;
import lottery.api.activity.Budget;
import lottery.api.activity.Budget.OnReached;
import lottery.api.activity.ChanceBundle;
import lottery.api.activity.DrawPlan;
import lottery.api.activity.SkuId;
import lottery.api.activity.SkuOffer;
import lottery.api.award.AwardEvent.AwardAddressErased;
import lottery.api.award.AwardEvent.AwardClaimed;
import lottery.api.award.AwardEvent.AwardCompensated;
import lottery.api.award.AwardEvent.AwardDispatchFailed;
import lottery.api.award.AwardEvent.AwardDispatched;
import lottery.api.award.AwardEvent.AwardForfeited;
import lottery.api.award.AwardEvent.AwardGrantRejected;
import lottery.api.award.AwardEvent.AwardGranted;
import lottery.api.award.AwardEvent.AwardLeftToDesk;
import lottery.api.award.AwardEvent.AwardReleased;
import lottery.api.award.AwardEvent.AwardVoided;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardRecordId;
import lottery.api.award.BudgetShare;
import lottery.api.ban.BanEvent.UserBanLifted;
import lottery.api.ban.BanEvent.UserBanned;
import lottery.api.choice.TreeEvent.TreeDefined;
import lottery.api.choice.TreeId;
import lottery.api.credit.CreditCommand.BookCredits;
import lottery.api.credit.CreditEvent.CreditsBooked;
import lottery.api.entitlement.ContentId;
import lottery.api.entitlement.EntitlementEvent.EntitlementGranted;
import lottery.api.entitlement.EntitlementEvent.EntitlementRevoked;
import lottery.api.payment.PaymentEvent.MoneyRefunded;
import lottery.api.payment.PaymentEvent.MoneyTaken;
import lottery.api.payment.PaymentEvent.PaymentClosed;
import lottery.api.payment.PaymentEvent.PaymentDelivered;
import lottery.api.payment.PaymentEvent.PaymentOrdered;
import lottery.api.payment.PaymentEvent.ProviderAdded;
import lottery.api.payment.PaymentEvent.RefundLeftToDesk;
import lottery.api.payment.PaymentEvent.RefundOrdered;
import lottery.api.payment.PaymentId;
import lottery.api.payment.RefundReason;
import lottery.api.payment.Trade;
import lottery.api.person.PersonEvent.PersonErased;
import lottery.api.pool.PoolEvent.EntriesClosed;
import lottery.api.pool.PoolEvent.EntriesReturned;
import lottery.api.pool.PoolEvent.PoolCancelled;
import lottery.api.pool.PoolEvent.PoolDrawn;
import lottery.api.pool.PoolEvent.PoolFrozen;
import lottery.api.pool.PoolEvent.PoolOrdered;
import lottery.api.pool.PoolEvent.PoolPageDrawn;
import lottery.api.pool.PoolEvent.ReserveMovedUp;
import lottery.api.pool.PoolEvent.ReservesUsedUp;
import lottery.api.pool.PoolWin;
import lottery.api.proposal.ProposalEvent.ProposalAgreed;
import lottery.api.proposal.ProposalEvent.ProposalDeclined;
import lottery.api.proposal.ProposalEvent.ProposalMade;
import lottery.api.proposal.ProposalId;
import lottery.api.proposal.ProposedAction;
import lottery.api.proposal.ProposedActionKind;
import lottery.api.raffle.FewerDrawsReason;
import lottery.api.raffle.Outcome;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleEvent;
import lottery.api.raffle.RaffleEvent.EntryMade;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.raffle.RaffleEvent.RaffleOrderCancelled;
import lottery.api.raffle.RaffleEvent.RaffleOrderCreated;
import lottery.api.raffle.RaffleEvent.RaffleOrderRefused;
import lottery.api.raffle.RaffleEvent.RequestAnswered;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.rebate.BehaviourEvent.BehaviourReported;
import lottery.api.rebate.BehaviourEvent.RebateDropped;
import lottery.api.rebate.BehaviourEvent.RebateGiven;
import lottery.api.rebate.BehaviourEvent.RebateRefused;
import lottery.api.rebate.BehaviourId;
import lottery.api.rebate.OrderedRebate;
import lottery.api.rebate.Rebate;
import lottery.api.rebate.RebateCountEvent.RebateCounted;
import lottery.api.rebate.RebateLimit;
import lottery.api.rebate.RebateProgress;
import lottery.api.rebate.RebateRuleDefinition;
import lottery.api.rebate.RebateRuleEvent.RebateRuleDefined;
import lottery.api.rebate.RebateRuleId;
import lottery.api.signin.SignInEvent.UserSignedIn;
import lottery.api.strategy.AmountRange;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.Blacklist;
import lottery.api.strategy.GrantTime;
import lottery.api.strategy.Remedy;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyEvent.StrategyDefined;
import lottery.api.strategy.StrategyEvent.StrategyRevised;
import lottery.api.strategy.StrategyId;
import lottery.api.strategy.Tier;
import lottery.api.tree.Comparison;
import lottery.api.tree.Line;
import lottery.api.tree.Node;
import lottery.api.tree.NodeValueType;
import lottery.api.tree.TreeDefinition;

/** One sample of each event. */
final class Samples {

    private static final ActivityId ACTIVITY = new ActivityId(100);
    private static final StrategyId STRATEGY = new StrategyId(7);
    private static final UserId USER = new UserId("ann");
    private static final RebateRuleId RULE = new RebateRuleId(7);
    private static final BehaviourId BEHAVIOUR = BehaviourId.of(USER, "share", "share-1");
    /** No action has all these, but so each field has a sample. */
    private static final ProposedAction PROPOSED = new ProposedAction(
            ProposedActionKind.BOOK_CREDITS,
            "credit:13:ann",
            USER,
            new BigDecimal("5000.5"),
            "CNY",
            "gift-1",
            "0123456789abcdef",
            3,
            new RebateRuleDefinition(
                    "share",
                    List.of(Rebate.ofCredits(new BigDecimal("8.8"))),
                    null,
                    null,
                    RebateRuleDefinition.RebateRuleState.OPEN));

    private static final ProposalId PROPOSAL = ProposedAction.booking(
                    new BookCredits(USER, new BigDecimal("5000.5"), "gift-1", null))
            .proposalId();
    private static final RaffleOrderId ORDER = RaffleOrderId.of("order:0e-3f1c1f0e-6e43-8b6f-9d55-2f6f1f0a7c11");
    private static final RaffleOrderId OTHER = RaffleOrderId.of("order:0e-3f1c1f0e-6e43-8b6f-9d55-2f6f1f0a7c12");
    private static final LocalDate TODAY = LocalDate.parse("2026-11-21");
    private static final AwardRecordId RECORD = AwardRecordId.of(ORDER);
    private static final RechargeId RECHARGE = RechargeId.of("recharge:0e-9b2d1c3a-0a51-8c7e-a3f1-5d4c3b2a1908");
    private static final ContentId CONTENT = new ContentId("course-1");
    private static final PaymentId PAYMENT = PaymentId.of("payment:0e-5c1d2e3f-4a5b-8c6d-9e7f-0a1b2c3d4e5f");
    private static final Trade TRADE = new Trade("simulator", "20261121000001");
    private static final Money PRICE = new Money(new BigDecimal("9.9"), "CNY");
    private static final ChanceBundle BUNDLE = new ChanceBundle(10, 5, 2);
    private static final Prize PRIZE = new Prize(101, "A cup of coffee", AwardType.CREDIT, 1, new BigDecimal("8.88"));
    private static final Instant NOON = Instant.parse("2026-11-21T04:00:00.123456Z");

    private static final StrategyDefinition DEFINITION = new StrategyDefinition(
            StrategyDefinition.Mode.SINGLE,
            List.of(AwardDefinition.of(101, "A cup of coffee", AwardType.CREDIT, new BigDecimal("0.0000001"))
                    .subtitle("Small")
                    .config(Map.of("text", "Show this"))
                    .amount(new AmountRange(new BigDecimal("0.01"), new BigDecimal("8.88")))
                    .stock(500)
                    .sort(1)
                    .lockedUntilDraws(2)
                    .grant(new GrantTime(GrantTime.Timing.SCHEDULED, NOON))
                    .onFailure(Remedy.RETURN_CHANCE)
                    .cost(new BigDecimal("1.50"))
                    .build()),
            true,
            101,
            new Blacklist(List.of(new UserId("mallory")), 101),
            StrategyDefinition.TierMode.EXACT,
            List.of(new Tier(10, List.of(101))),
            new TreeDefinition(
                    "lock",
                    List.of(new Node("lock", "lock", NodeValueType.TEXT, null), new Node("win", null, null, "WIN")),
                    List.of(new Line("lock", "win", Comparison.ONE_OF, List.of("open", "locked")))));

    static final List<Event> ALL = List.of(
            new ActivityCreated(
                    ACTIVITY,
                    new ActivityDefinition(
                            "Spring",
                            "Ten draws for everybody",
                            NOON,
                            NOON.plusSeconds(86_400),
                            ZoneId.of("Asia/Shanghai"),
                            STRATEGY,
                            1_000_000,
                            null,
                            null,
                            null,
                            null,
                            List.of(new SkuOffer(
                                    new SkuId(9001), "Sign-in", BUNDLE, 500, new BigDecimal("2.50"), null, null, null)),
                            new DrawPlan(
                                    DrawPlan.DrawMode.SCHEDULED, NOON.plusSeconds(3_600), NOON.plusSeconds(1_800), 2),
                            null)),
            new ActivityEdited(
                    ACTIVITY,
                    new ActivityDefinition(
                            "Summer",
                            null,
                            NOON,
                            NOON.plusSeconds(3_600),
                            ZoneId.of("Europe/Berlin"),
                            STRATEGY,
                            null,
                            new ChanceBundle(3, 3, 1),
                            true,
                            new TreeId(1),
                            true,
                            List.of(
                                    new SkuOffer(new SkuId(9002), null, BUNDLE, null, null, null, PRICE, null),
                                    new SkuOffer(
                                            new SkuId(9003),
                                            null,
                                            ChanceBundle.NONE,
                                            null,
                                            null,
                                            null,
                                            PRICE,
                                            CONTENT)),
                            null,
                            new Budget(new BigDecimal("1000"), new BigDecimal("99.5"), OnReached.FALLBACK))),
            new ActivitySubmitted(ACTIVITY),
            new ActivityPassed(ACTIVITY, 1, "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"),
            new StrategyAdopted(
                    ACTIVITY,
                    2,
                    "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752",
                    "6c42da704000b5f415da82dbc0c892f319c59b84f4f791b280988830553b02a4"),
            new ActivityRefused(ACTIVITY),
            new ActivityRevoked(ACTIVITY),
            new ActivityStarted(
                    ACTIVITY,
                    1,
                    "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925",
                    "k1:AAECAwQFBgcICQoLAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4v",
                    "2deddf797c7a66bfcafa0eb246f19da08b650b8ed51a2edf3c20ef9dab27ec31"),
            new ActivityPaused(ACTIVITY),
            new ActivityResumed(ACTIVITY),
            new AwardHeld(ACTIVITY, 105, "wrong voucher codes"),
            new HeldAwardReleased(ACTIVITY, 105, "new codes are in"),
            new ActivityClosed(ACTIVITY),
            new ActivityOpened(ACTIVITY),
            new StrategyDefined(STRATEGY, 1, DEFINITION),
            new StrategyRevised(STRATEGY, 2, DEFINITION),
            new SeedPublished(ACTIVITY, 1, "0000000000000000000000000000000000000000000000000000000000000000"),
            new AccountOpened(ACTIVITY, USER, BUNDLE),
            new AccountRecharged(ACTIVITY, USER, RECHARGE, BUNDLE),
            new ChanceSpent(ACTIVITY, USER, ORDER, TODAY, true, true),
            new OpenOrderUsed(ACTIVITY, USER, ORDER, TODAY),
            new LimitedAwardWon(ACTIVITY, USER, ORDER, 104),
            new LimitedSkuTaken(ACTIVITY, USER, RECHARGE, new SkuId(9001), TODAY),
            new ChanceReturned(ACTIVITY, USER, ORDER, TODAY),
            new RechargeOrdered(
                    RECHARGE,
                    ACTIVITY,
                    USER,
                    new SkuId(9001),
                    "sign-in-1",
                    BUNDLE,
                    true,
                    NOON.plusSeconds(600),
                    CONTENT),
            new RechargeCompleted(RECHARGE, ACTIVITY, USER, new SkuId(9001), "sign-in-1", BUNDLE, true, CONTENT),
            new RechargeClosed(RECHARGE, USER),
            new PaymentOrdered(
                    PAYMENT, ACTIVITY, USER, new SkuId(9002), "buy-1", PRICE, "simulator", NOON.plusSeconds(1_800)),
            new ProviderAdded(PAYMENT, USER, "alipay"),
            new MoneyTaken(PAYMENT, USER, TRADE, PRICE, NOON),
            new PaymentDelivered(PAYMENT, USER, TRADE),
            new PaymentClosed(PAYMENT, USER),
            new RefundOrdered(PAYMENT, USER, TRADE, RefundReason.PAID_TWICE, NOON),
            new MoneyRefunded(PAYMENT, USER, TRADE),
            new RefundLeftToDesk(PAYMENT, USER, TRADE, "the account of the shop is empty"),
            new EntitlementGranted(USER, CONTENT, RECHARGE.text(), true),
            new EntitlementRevoked(USER, CONTENT, RECHARGE.text(), true),
            new RaffleOrderCreated(ORDER, ACTIVITY, USER, NOON),
            new RaffleOrderCancelled(ORDER, USER, NOON),
            new RaffleOrderRefused(
                    ORDER, ACTIVITY, USER, 1, "QUOTA_DAY", "account:33:100:ann", NOON, NOON.plusSeconds(9)),
            new RequestAnswered(
                    ORDER, ACTIVITY, USER, RaffleEvent.Wish.DRAW, 3, List.of(ORDER, OTHER), FewerDrawsReason.QUOTA_DAY),
            new RaffleDrawn(
                    ORDER,
                    ACTIVITY,
                    USER,
                    STRATEGY,
                    1,
                    2,
                    7,
                    3,
                    List.of(102, 103),
                    List.of(104),
                    List.of(105),
                    List.of(106),
                    "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
                    Outcome.WON,
                    PRIZE,
                    NOON),
            new AwardWon(
                    RECORD,
                    ACTIVITY,
                    USER,
                    PRIZE,
                    true,
                    new BudgetShare(new BigDecimal("2.5"), new BigDecimal("1000"), TODAY),
                    Map.of("text", "Show this"),
                    new GrantTime(GrantTime.Timing.ACTIVITY_END, NOON),
                    Remedy.SUBSTITUTE,
                    RECORD.substituteFor(USER),
                    NOON,
                    null),
            new AwardReleased(RECORD, USER),
            new AwardClaimed(RECORD, USER, "0123456789abcdef:c2VhbGVk"),
            new AwardAddressErased(RECORD, USER),
            new AwardForfeited(RECORD, USER, ACTIVITY),
            new AwardVoided(RECORD, USER, ACTIVITY, "The entry was bought"),
            new EntryMade(ORDER, ACTIVITY, USER, TODAY, true, 2, 1, NOON),
            new EntriesClosed(ACTIVITY),
            new PoolFrozen(
                    ACTIVITY,
                    3,
                    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                    1,
                    STRATEGY,
                    2,
                    "4e7f0b6c2a1d3f5e8b9a7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a0b9c8d7e6f",
                    "file",
                    "2026-11-21T05:00:00Z",
                    NOON,
                    1),
            new PoolOrdered(
                    ACTIVITY, "5f3a9c01", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", 2, 1),
            new PoolPageDrawn(ACTIVITY, List.of(new PoolWin(1, 3, ORDER, 101, new BigDecimal("8.88")))),
            new PoolDrawn(
                    ACTIVITY, 3, 2, 1, "5f3a9c01", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"),
            new ReserveMovedUp(ACTIVITY, new PoolWin(3, 1, OTHER, 101, null), RECORD, 3),
            new ReservesUsedUp(ACTIVITY, RECORD),
            new PoolCancelled(ACTIVITY),
            new EntriesReturned(ACTIVITY, 100),
            new AwardDispatchFailed(RECORD, USER, 2, "too large"),
            new AwardCompensated(RECORD, USER, Remedy.SUBSTITUTE, RECORD.substituteFor(USER)),
            new AwardLeftToDesk(RECORD, USER, "no answer"),
            new AwardDispatched(RECORD, USER),
            new AwardGranted(RECORD, USER, "receipt-1"),
            new AwardGrantRejected(RECORD, USER, "receipt-2", "no stock at the shop"),
            new TreeDefined(
                    new TreeId(5),
                    1,
                    new TreeDefinition(
                            "age",
                            List.of(Node.inner("age", "age", NodeValueType.NUMBER), Node.leaf("spring", "100")),
                            List.of(
                                    new Line("age", "spring", Comparison.AT_LEAST, List.of("18")),
                                    new Line("age", "spring", Comparison.ONE_OF, List.of("12", "14"))))),
            new CreditsBooked(
                    USER, 2, new BigDecimal("8.88"), new BigDecimal("38.88"), RECORD.text(), "A cup of coffee", NOON),
            new ProposalMade(PROPOSAL, USER, PROPOSED, "A prize", "shop", NOON),
            new ProposalAgreed(PROPOSAL, USER, "shop", "paul"),
            new ProposalDeclined(PROPOSAL, USER, "paul", "Too much"),
            new UserBanned(USER, NOON, "0123456789abcdef:c2VhbGVk"),
            new UserBanLifted(USER),
            new PersonErased(USER, "0123456789abcdef", "dora", "dan", "Request 17"),
            new RebateRuleDefined(
                    RULE,
                    2,
                    new RebateRuleDefinition(
                            "sign",
                            List.of(Rebate.ofSku(ACTIVITY, new SkuId(9001)), Rebate.ofCredits(new BigDecimal("8.8"))),
                            new RebateLimit(1, RebateLimit.RebatePeriod.DAY),
                            7,
                            RebateRuleDefinition.RebateRuleState.OPEN)),
            new BehaviourReported(
                    BEHAVIOUR,
                    USER,
                    "share",
                    "share-1",
                    NOON,
                    List.of(
                            new OrderedRebate(RULE, 2, 0, Rebate.ofSku(ACTIVITY, new SkuId(9001)), null),
                            new OrderedRebate(
                                    RULE, 2, 1, Rebate.ofCredits(new BigDecimal("8.8")), RebateProgress.RULE_LIMIT))),
            new RebateGiven(BEHAVIOUR, USER, RULE, 0, RECHARGE.text()),
            new RebateRefused(BEHAVIOUR, USER, RULE, 1, "SKU_SOLD_OUT"),
            new RebateDropped(BEHAVIOUR, USER, RULE, 1),
            new RebateCounted(USER, RULE, BEHAVIOUR, TODAY),
            new UserSignedIn(USER, TODAY, 7, 3, BEHAVIOUR));

    private Samples() {}
}
