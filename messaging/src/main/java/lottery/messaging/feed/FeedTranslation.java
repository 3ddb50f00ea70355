package lottery.messaging.feed;

import java.util.List;
import java.util.Optional;
import lottery.api.account.AccountEvent;
import lottery.api.account.AccountEvent.AccountOpened;
import lottery.api.account.AccountEvent.AccountRecharged;
import lottery.api.account.AccountEvent.ChanceReturned;
import lottery.api.account.AccountEvent.ChanceSpent;
import lottery.api.account.AccountEvent.LimitedAwardWon;
import lottery.api.account.AccountEvent.LimitedSkuTaken;
import lottery.api.account.AccountEvent.OpenOrderUsed;
import lottery.api.account.RechargeEvent;
import lottery.api.account.RechargeEvent.RechargeClosed;
import lottery.api.account.RechargeEvent.RechargeCompleted;
import lottery.api.account.RechargeEvent.RechargeOrdered;
import lottery.api.activity.ActivityEvent;
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
import lottery.api.award.AwardEvent;
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
import lottery.api.ban.BanEvent;
import lottery.api.ban.BanEvent.UserBanLifted;
import lottery.api.ban.BanEvent.UserBanned;
import lottery.api.choice.TreeEvent;
import lottery.api.choice.TreeEvent.TreeDefined;
import lottery.api.credit.CreditEvent;
import lottery.api.credit.CreditEvent.CreditsBooked;
import lottery.api.entitlement.EntitlementEvent;
import lottery.api.entitlement.EntitlementEvent.EntitlementGranted;
import lottery.api.entitlement.EntitlementEvent.EntitlementRevoked;
import lottery.api.payment.PaymentEvent;
import lottery.api.payment.PaymentEvent.MoneyRefunded;
import lottery.api.payment.PaymentEvent.MoneyTaken;
import lottery.api.payment.PaymentEvent.PaymentClosed;
import lottery.api.payment.PaymentEvent.PaymentDelivered;
import lottery.api.payment.PaymentEvent.PaymentOrdered;
import lottery.api.payment.PaymentEvent.ProviderAdded;
import lottery.api.payment.PaymentEvent.RefundLeftToDesk;
import lottery.api.payment.PaymentEvent.RefundOrdered;
import lottery.api.person.PersonEvent;
import lottery.api.person.PersonEvent.PersonErased;
import lottery.api.pool.PoolEvent;
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
import lottery.api.proposal.ProposalEvent;
import lottery.api.proposal.ProposalEvent.ProposalAgreed;
import lottery.api.proposal.ProposalEvent.ProposalDeclined;
import lottery.api.proposal.ProposalEvent.ProposalMade;
import lottery.api.raffle.RaffleEvent;
import lottery.api.raffle.RaffleEvent.EntryMade;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.raffle.RaffleEvent.RaffleOrderCancelled;
import lottery.api.raffle.RaffleEvent.RaffleOrderCreated;
import lottery.api.raffle.RaffleEvent.RaffleOrderRefused;
import lottery.api.raffle.RaffleEvent.RequestAnswered;
import lottery.api.rebate.BehaviourEvent;
import lottery.api.rebate.BehaviourEvent.BehaviourReported;
import lottery.api.rebate.BehaviourEvent.RebateDropped;
import lottery.api.rebate.BehaviourEvent.RebateGiven;
import lottery.api.rebate.BehaviourEvent.RebateRefused;
import lottery.api.rebate.RebateCountEvent;
import lottery.api.rebate.RebateCountEvent.RebateCounted;
import lottery.api.rebate.RebateRuleEvent;
import lottery.api.rebate.RebateRuleEvent.RebateRuleDefined;
import lottery.api.signin.SignInEvent;
import lottery.api.signin.SignInEvent.UserSignedIn;
import lottery.api.strategy.StrategyEvent;
import lottery.api.strategy.StrategyEvent.StrategyDefined;
import lottery.api.strategy.StrategyEvent.StrategyRevised;

/**
 * Translates events to messages of the feed. Many events have no message. A message depends only on its event and on
 * earlier events of the same aggregate, so that a repeated event gives the same message.
 */
final class FeedTranslation {

    private FeedTranslation() {}

    /**
     * Translates four kinds of events: a start, a close, a published seed, and the adoption of a version while a round
     * runs. Drafts, reviews and reopenings concern only operators. The event of a start also has the sealed seed. It is
     * left out of the message, because only an attacker could use it.
     */
    static Optional<ActivityFeedMessage> of(ActivityEvent event, List<? extends ActivityEvent> before) {
        return switch (event) {
            case ActivityStarted started ->
                Optional.of(ActivityFeedFold.of(started, before).started());
            case ActivityClosed _ -> ActivityFeedFold.running(before).map(ActivityFeedFold::closed);
            case StrategyAdopted adopted -> ActivityFeedFold.running(before).flatMap(round -> round.adopted(adopted));
            case SeedPublished(var activityId, int round, String seed) ->
                Optional.of(new ActivityFeedMessage.SeedPublished(activityId, round, seed));
            case ActivityCreated _,
                    ActivityEdited _,
                    ActivitySubmitted _,
                    ActivityPassed _,
                    ActivityRefused _,
                    ActivityRevoked _,
                    ActivityPaused _,
                    ActivityResumed _,
                    AwardHeld _,
                    HeldAwardReleased _,
                    ActivityOpened _ -> Optional.empty();
        };
    }

    /**
     * Translates an event of an account. It leaves out the use of an open order and the counts for limits, because the
     * messages about draws and recharges tell the same. It also leaves out which unit of the participations a chance
     * has taken, because this is internal.
     */
    static Optional<ChanceFeedMessage> of(AccountEvent event) {
        return switch (event) {
            case AccountOpened(var activityId, var userId, var bundle) ->
                Optional.of(
                        new ChanceFeedMessage.Opened(activityId, userId, bundle.total(), bundle.month(), bundle.day()));
            case AccountRecharged(var activityId, var userId, var rechargeId, var bundle) ->
                Optional.of(new ChanceFeedMessage.Recharged(
                        activityId, userId, rechargeId, bundle.total(), bundle.month(), bundle.day()));
            case ChanceSpent spent ->
                Optional.of(
                        new ChanceFeedMessage.Spent(spent.activityId(), spent.userId(), spent.orderId(), spent.day()));
            case ChanceReturned(var activityId, var userId, var orderId, var day) ->
                Optional.of(new ChanceFeedMessage.Returned(activityId, userId, orderId, day));
            case OpenOrderUsed _, LimitedAwardWon _, LimitedSkuTaken _ -> Optional.empty();
        };
    }

    /**
     * Publishes nothing about a recharge. The purchase and its number concern only the user and the shop, and the
     * chances are published as an event of the account.
     */
    static Optional<FeedMessage> of(RechargeEvent event) {
        return switch (event) {
            case RechargeOrdered _, RechargeCompleted _, RechargeClosed _ -> Optional.empty();
        };
    }

    /** Publishes nothing about a payment, for the same reason. */
    static Optional<FeedMessage> of(PaymentEvent event) {
        return switch (event) {
            case PaymentOrdered _,
                    ProviderAdded _,
                    MoneyTaken _,
                    PaymentDelivered _,
                    PaymentClosed _,
                    RefundOrdered _,
                    MoneyRefunded _,
                    RefundLeftToDesk _ -> Optional.empty();
        };
    }

    /** Publishes only whether the user may read the content. Further sources change nothing for its readers. */
    static Optional<EntitlementFeedMessage> of(EntitlementEvent event) {
        return switch (event) {
            case EntitlementGranted(var userId, var contentId, var source, boolean first) ->
                first ? Optional.of(new EntitlementFeedMessage.Granted(userId, contentId, source)) : Optional.empty();
            case EntitlementRevoked(var userId, var contentId, var source, boolean last) ->
                last ? Optional.of(new EntitlementFeedMessage.Revoked(userId, contentId, source)) : Optional.empty();
        };
    }

    /**
     * Translates an event of a raffle order. The message omits the ticket, the strategy and the sold-out awards,
     * because readers who need these get them from the verification endpoint. Stored answers to requests are not
     * published, because each draw in them has its own message.
     */
    static Optional<RaffleOrderFeedMessage> of(RaffleEvent event) {
        return switch (event) {
            case RaffleOrderCreated(var orderId, var activityId, var userId, var createdAt) ->
                Optional.of(new RaffleOrderFeedMessage.Created(orderId, activityId, userId, createdAt));
            case RaffleOrderCancelled(var orderId, var userId, var cancelledAt) ->
                Optional.of(new RaffleOrderFeedMessage.Cancelled(orderId, userId, cancelledAt));
            case EntryMade entry ->
                Optional.of(new RaffleOrderFeedMessage.Entered(
                        entry.orderId(), entry.activityId(), entry.userId(), entry.enteredAt()));
            case RaffleDrawn drawn -> Optional.of(drawn(drawn));
            case RaffleOrderRefused refused ->
                Optional.of(new RaffleOrderFeedMessage.RequestRefused(
                        refused.orderId(),
                        refused.activityId(),
                        refused.userId(),
                        refused.reason(),
                        refused.refusedAt()));
            case RequestAnswered _ -> Optional.empty();
        };
    }

    /**
     * Publishes the data with which readers verify a draw, and each reserve that moves up. Entries are identified by
     * their numbers, because other messages report about their users. The pages in which a draw is recorded are
     * internal and not published.
     */
    static Optional<PoolFeedMessage> of(PoolEvent event) {
        return switch (event) {
            case PoolFrozen frozen ->
                Optional.of(new PoolFeedMessage.Frozen(
                        frozen.activityId(),
                        frozen.entries(),
                        frozen.root(),
                        frozen.round(),
                        frozen.strategyVersion(),
                        frozen.strategyHash(),
                        frozen.beacon(),
                        frozen.beaconRound(),
                        frozen.drawAt(),
                        frozen.reserves()));
            case PoolDrawn drawn ->
                Optional.of(new PoolFeedMessage.Drawn(
                        drawn.activityId(),
                        drawn.entries(),
                        drawn.winners(),
                        drawn.reserves(),
                        drawn.beaconValue(),
                        drawn.drawKey()));
            case ReserveMovedUp(var activityId, PoolWin win, var _, int insteadOf) ->
                Optional.of(new PoolFeedMessage.ReserveMovedUp(
                        activityId, win.place(), win.entryNo(), win.awardId(), insteadOf));
            case PoolCancelled(var activityId) -> Optional.of(new PoolFeedMessage.Cancelled(activityId));
            case EntriesClosed _, PoolOrdered _, PoolPageDrawn _, ReservesUsedUp _, EntriesReturned _ ->
                Optional.empty();
        };
    }

    private static RaffleOrderFeedMessage drawn(RaffleDrawn drawn) {
        return new RaffleOrderFeedMessage.Drawn(
                drawn.orderId(),
                drawn.activityId(),
                drawn.userId(),
                drawn.outcome(),
                drawn.award() == null ? null : FeedMessage.Award.of(drawn.award()),
                drawn.award() == null ? null : AwardRecordId.of(drawn.orderId()),
                drawn.drawnAt());
    }

    /**
     * Translates an event of an award record. It omits references and reasons, because fulfilment and operators write
     * them as free text, which may contain a won code or a name. It omits the address and whether there is one. A
     * release and an invoice that could not be sent give no message, because they do not matter to readers.
     */
    static List<AwardRecordFeedMessage> of(AwardEvent event) {
        return switch (event) {
            case AwardWon won -> won(won);
            case AwardDispatched(var id, var userId) -> List.of(new AwardRecordFeedMessage.Dispatched(id, userId));
            case AwardGranted granted ->
                List.of(new AwardRecordFeedMessage.Granted(granted.awardRecordId(), granted.userId()));
            case AwardGrantRejected rejected ->
                List.of(new AwardRecordFeedMessage.Rejected(rejected.awardRecordId(), rejected.userId()));
            case AwardCompensated compensated -> List.of(compensated(compensated));
            case AwardForfeited forfeited ->
                List.of(new AwardRecordFeedMessage.Forfeited(forfeited.awardRecordId(), forfeited.userId()));
            case AwardVoided voided ->
                List.of(new AwardRecordFeedMessage.Voided(voided.awardRecordId(), voided.userId()));
            case AwardLeftToDesk left ->
                List.of(new AwardRecordFeedMessage.LeftToDesk(left.awardRecordId(), left.userId()));
            case AwardReleased _, AwardClaimed _, AwardAddressErased _, AwardDispatchFailed _ -> List.of();
        };
    }

    /** Returns two messages for an award that is granted together with its win. */
    private static List<AwardRecordFeedMessage> won(AwardWon won) {
        AwardRecordFeedMessage told = new AwardRecordFeedMessage.Won(
                won.awardRecordId(),
                won.activityId(),
                won.userId(),
                FeedMessage.Award.of(won.award()),
                won.insteadOf(),
                won.wonAt());
        return won.grantReference() == null
                ? List.of(told)
                : List.of(told, new AwardRecordFeedMessage.Granted(won.awardRecordId(), won.userId()));
    }

    private static AwardRecordFeedMessage compensated(AwardCompensated compensated) {
        AwardRecordFeedMessage.Amends by = switch (compensated.by()) {
            case SUBSTITUTE -> AwardRecordFeedMessage.Amends.SUBSTITUTE;
            case RETURN_CHANCE -> AwardRecordFeedMessage.Amends.CHANCE_RETURNED;
            case MANUAL -> throw new IllegalArgumentException("who leaves it to the desk has made nothing good");
        };
        return new AwardRecordFeedMessage.Compensated(
                compensated.awardRecordId(), compensated.userId(), by, compensated.substitute());
    }

    /** Publishes nothing: costs and blacklists are internal, and the odds are published over REST. */
    static Optional<FeedMessage> of(StrategyEvent event) {
        return switch (event) {
            case StrategyDefined _, StrategyRevised _ -> Optional.empty();
        };
    }

    /**
     * Translates a booking. It omits purchases and reasons, which concern only the user and the other party. It
     * includes the award if the credits come from a won award.
     */
    static Optional<CreditFeedMessage> of(CreditEvent event) {
        return switch (event) {
            case CreditsBooked booked -> Optional.of(booked(booked));
        };
    }

    private static CreditFeedMessage booked(CreditsBooked booked) {
        return new CreditFeedMessage.Booked(
                booked.userId(),
                booked.entry(),
                booked.amount(),
                booked.balance(),
                booked.award().orElse(null),
                booked.bookedAt());
    }

    /** Publishes nothing, because what a rule gives is published as a recharge or a booking. */
    static Optional<FeedMessage> of(RebateRuleEvent event) {
        return switch (event) {
            case RebateRuleDefined _ -> Optional.empty();
        };
    }

    /** Publishes nothing, because what a rebate gives is published as a recharge or a booking. */
    static Optional<FeedMessage> of(BehaviourEvent event) {
        return switch (event) {
            case BehaviourReported _, RebateGiven _, RebateRefused _, RebateDropped _ -> Optional.empty();
        };
    }

    /** Publishes nothing, because what a sign-in earns is published as a recharge or a booking. */
    static Optional<FeedMessage> of(SignInEvent event) {
        return switch (event) {
            case UserSignedIn _ -> Optional.empty();
        };
    }

    /** Publishes nothing: counts are internal. */
    static Optional<FeedMessage> of(RebateCountEvent event) {
        return switch (event) {
            case RebateCounted _ -> Optional.empty();
        };
    }

    /** Publishes nothing, because the action that follows from an agreement is published. */
    static Optional<FeedMessage> of(ProposalEvent event) {
        return switch (event) {
            case ProposalMade _, ProposalAgreed _, ProposalDeclined _ -> Optional.empty();
        };
    }

    /** Publishes nothing, because bans concern only the lottery and the user. */
    static Optional<FeedMessage> of(BanEvent event) {
        return switch (event) {
            case UserBanned _, UserBanLifted _ -> Optional.empty();
        };
    }

    /** Publishes nothing, because it is private that a person was forgotten. */
    static Optional<FeedMessage> of(PersonEvent event) {
        return switch (event) {
            case PersonErased _ -> Optional.empty();
        };
    }

    /** Publishes nothing: the operator's choice of activities for users is internal. */
    static Optional<FeedMessage> of(TreeEvent event) {
        return switch (event) {
            case TreeDefined _ -> Optional.empty();
        };
    }
}
