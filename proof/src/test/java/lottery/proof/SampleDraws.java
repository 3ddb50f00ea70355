package lottery.proof;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ApprovedStrategy;
import lottery.api.activity.RoundCommitment;
import lottery.api.activity.RoundCommitment.CommittedStrategy;
import lottery.api.raffle.Outcome;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.fairness.Seed;
import lottery.raffle.DrawTicket;
import lottery.rule.CompiledStrategy;
import lottery.rule.DrawDecision;
import lottery.rule.DrawSituation;
import org.jspecify.annotations.Nullable;

/** Makes draws as the lottery makes them. */
final class SampleDraws {

    static final ActivityId ACTIVITY = new ActivityId(7);
    static final Seed SEED = Seed.of("0123456789abcdef".repeat(4));
    static final Seed OTHER_SEED = Seed.of("fedcba9876543210".repeat(4));

    private static final ApprovedStrategy APPROVED = new ApprovedStrategy(1, "11".repeat(32));

    static final RoundCommitment PLEDGE = new RoundCommitment(
            1,
            SEED.commitment(),
            SEED.reveal(),
            List.of(new CommittedStrategy(
                    APPROVED.version(),
                    APPROVED.hash(),
                    RoundCommitment.of(ACTIVITY, 1, SEED.commitment(), APPROVED))));

    private SampleDraws() {}

    static List<RaffleDrawn> draws(CompiledStrategy rules, int draws) {
        return IntStream.range(0, draws).mapToObj(i -> draw(rules, i)).toList();
    }

    /** Makes draws whose users win no more of an award than one user can. */
    static List<RaffleDrawn> limited(CompiledStrategy rules, int draws) {
        Map<UserId, Map<Integer, Integer>> wins = new HashMap<>();
        return IntStream.range(0, draws)
                .mapToObj(i -> {
                    Map<Integer, Integer> ofUser = wins.computeIfAbsent(user(i), unknown -> new HashMap<>());
                    RaffleDrawn drawn = draw(rules, i, rules.reached(ofUser));
                    Prize award = drawn.award();
                    if (award != null && rules.isLimitedPerUser(award.awardId())) {
                        ofUser.merge(award.awardId(), 1, Integer::sum);
                    }
                    return drawn;
                })
                .toList();
    }

    /** Makes draws while some of the awards are held: none, one, or one and the fallback. */
    static List<RaffleDrawn> held(CompiledStrategy rules, int draws, List<List<Integer>> held) {
        return IntStream.range(0, draws)
                .mapToObj(i -> draw(rules, i, List.of(), held.get(i % held.size())))
                .toList();
    }

    private static UserId user(int number) {
        return new UserId("user-" + number % 10);
    }

    /** Makes a draw. In every third one the awards 2 and 3 are sold out. */
    static RaffleDrawn draw(CompiledStrategy rules, int number) {
        return draw(rules, number, List.of());
    }

    private static RaffleDrawn draw(CompiledStrategy rules, int number, List<Integer> reached) {
        return draw(rules, number, reached, List.of());
    }

    private static RaffleDrawn draw(CompiledStrategy rules, int number, List<Integer> reached, List<Integer> held) {
        UserId user = user(number);
        RaffleOrderId orderId = RaffleRequestIdentity.of(new AccountId(ACTIVITY, user), "draw-" + number)
                .id();
        String ticket = HexFormat.of().formatHex(SEED.hmac(orderId.text()));
        List<Integer> soldOut = number % 3 == 0 ? List.of(2, 3) : List.of();
        int before = number % 7;
        Set<Integer> unavailable = new HashSet<>(soldOut);
        unavailable.addAll(reached);
        unavailable.addAll(held);
        DrawDecision decision =
                rules.decide(new DrawSituation(user, before, before / 2, unavailable), new DrawTicket(ticket));
        return new RaffleDrawn(
                orderId,
                ACTIVITY,
                user,
                rules.strategyId(),
                rules.version(),
                1,
                before,
                before / 2,
                soldOut,
                reached,
                held,
                null,
                ticket,
                decision.outcome(),
                DrawVerifier.prize(decision),
                Instant.parse("2026-11-21T08:00:00Z"));
    }

    static RaffleDrawn withOutcome(RaffleDrawn drawn, Outcome outcome) {
        return changed(drawn, drawn.strategyVersion(), drawn.round(), drawn.ticket(), outcome, drawn.award());
    }

    static RaffleDrawn withAward(RaffleDrawn drawn, @Nullable Prize award) {
        return changed(drawn, drawn.strategyVersion(), drawn.round(), drawn.ticket(), drawn.outcome(), award);
    }

    static RaffleDrawn withTicket(RaffleDrawn drawn, String ticket) {
        return changed(drawn, drawn.strategyVersion(), drawn.round(), ticket, drawn.outcome(), drawn.award());
    }

    static RaffleDrawn withVersion(RaffleDrawn drawn, int version) {
        return changed(drawn, version, drawn.round(), drawn.ticket(), drawn.outcome(), drawn.award());
    }

    static RaffleDrawn withRound(RaffleDrawn drawn, int round) {
        return changed(drawn, drawn.strategyVersion(), round, drawn.ticket(), drawn.outcome(), drawn.award());
    }

    private static RaffleDrawn changed(
            RaffleDrawn drawn, int version, int round, String ticket, Outcome outcome, @Nullable Prize award) {
        return new RaffleDrawn(
                drawn.orderId(),
                drawn.activityId(),
                drawn.userId(),
                drawn.strategyId(),
                version,
                round,
                drawn.drawsBefore(),
                drawn.drawsBeforeToday(),
                drawn.soldOut(),
                drawn.reached(),
                drawn.held(),
                null,
                ticket,
                outcome,
                award,
                drawn.drawnAt());
    }
}
