package lottery.api.raffle;

import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import lottery.api.EventName;
import lottery.api.EventOfUser;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.strategy.StrategyId;
import org.jspecify.annotations.Nullable;

/** The events of a raffle order. */
public sealed interface RaffleEvent extends EventOfUser {

    RaffleOrderId orderId();

    /** A chance was spent for an order that is drawn later. */
    @EventName("raffle.order-created")
    record RaffleOrderCreated(RaffleOrderId orderId, ActivityId activityId, UserId userId, Instant createdAt)
            implements RaffleEvent {}

    /**
     * A chance was spent for an entry in the pool of its activity. The number of the entry is not stored in the event.
     * It is the place of the event among the entries of the pool, in the sequence of the log.
     *
     * @param day the day of its chance, in the activity's zone
     * @param participationTaken whether a participation was taken, because the activity limits them
     * @param entriesBefore how many entries the user had made in the activity before
     * @param entriesBeforeToday how many of these entries were made on the same day
     */
    @EventName("raffle.entered")
    record EntryMade(
            RaffleOrderId orderId,
            ActivityId activityId,
            UserId userId,
            LocalDate day,
            boolean participationTaken,
            int entriesBefore,
            int entriesBeforeToday,
            Instant enteredAt)
            implements RaffleEvent {}

    /** An order was cancelled; its chance was given back in the same commit. */
    @EventName("raffle.order-cancelled")
    record RaffleOrderCancelled(RaffleOrderId orderId, UserId userId, Instant cancelledAt) implements RaffleEvent {}

    /**
     * The stored answer to a request, so that the same request has the same answer for ever. If the answer is the one
     * order that has the id of the request, this event is not stored.
     *
     * @param requestId the id of the request; no order has this id, and none ever will
     * @param count how many draws were asked for
     * @param orders the orders that were made, drawn or cancelled
     * @param shortage why no more draws were made, if fewer were made than asked for
     */
    @EventName("raffle.request-answered")
    record RequestAnswered(
            RaffleOrderId requestId,
            ActivityId activityId,
            UserId userId,
            Wish wish,
            int count,
            List<RaffleOrderId> orders,
            @Nullable FewerDrawsReason shortage)
            implements RaffleEvent {

        public RequestAnswered {
            orders = List.copyOf(orders);
        }

        @Override
        public RaffleOrderId orderId() {
            return requestId;
        }
    }

    /**
     * A request that had waited in the queue was refused when its turn came. No chance was spent. The refusal is
     * stored, because the user was told that the request was accepted.
     *
     * @param count how many draws were asked for
     * @param reason the code of the refusal
     * @param about the subject of the refusal, such as {@code activity:100}
     * @param queuedAt when the request was accepted
     */
    @EventName("raffle.order-refused")
    record RaffleOrderRefused(
            RaffleOrderId orderId,
            ActivityId activityId,
            UserId userId,
            int count,
            String reason,
            String about,
            Instant queuedAt,
            Instant refusedAt)
            implements RaffleEvent {

        /** Returns the refusal, with its current texts. */
        public Refused refused() {
            return new Refused(Refusal.valueOf(reason), about);
        }
    }

    /** The kinds of requests that can have a key. */
    enum Wish {
        PARTAKE,
        ENTER,
        DRAW,
        /** Draws the order that the request names. */
        DRAW_ORDER,
        CANCEL
    }

    /**
     * The draw was decided. Anybody who has this event and the strategy's version can decide it again, and must get the
     * same result.
     *
     * @param round the number of the round to which the draw belongs; the ticket follows from the seed of this round
     * @param drawsBefore how many draws the user had made in the activity before this one
     * @param drawsBeforeToday how many of these draws were made on the same day
     * @param soldOut the awards that were sold out at that moment, in ascending order
     * @param reached the awards whose limit the user had reached, in ascending order; null if there were none
     * @param held the awards that an operator held at that moment, in ascending order; null if there were none
     * @param overBudget the awards that cost more than was left of the budget, in ascending order; null if there were
     *     none
     * @param ticket the randomness by which this draw was decided, 256 bits in hexadecimal
     * @param award the award that was won, if any
     */
    @EventName("raffle.drawn")
    record RaffleDrawn(
            RaffleOrderId orderId,
            ActivityId activityId,
            UserId userId,
            StrategyId strategyId,
            int strategyVersion,
            int round,
            int drawsBefore,
            int drawsBeforeToday,
            List<Integer> soldOut,
            @Nullable List<Integer> reached,
            @Nullable List<Integer> held,
            @Nullable List<Integer> overBudget,
            String ticket,
            Outcome outcome,
            @Nullable Prize award,
            Instant drawnAt)
            implements RaffleEvent {

        public RaffleDrawn {
            soldOut = List.copyOf(soldOut);
            reached = nullIfEmpty(reached);
            held = nullIfEmpty(held);
            overBudget = nullIfEmpty(overBudget);
        }

        private static @Nullable List<Integer> nullIfEmpty(@Nullable List<Integer> awardIds) {
            return awardIds == null || awardIds.isEmpty() ? null : List.copyOf(awardIds);
        }

        /**
         * Returns the awards that this draw could not win: they were sold out, were held, cost more than was left of
         * the budget, or had reached their limit for this user.
         */
        public Set<Integer> unavailable() {
            if (reached == null && held == null && overBudget == null) {
                return Set.copyOf(soldOut);
            }
            return Stream.of(soldOut, reached, held, overBudget)
                    .filter(Objects::nonNull)
                    .flatMap(List::stream)
                    .collect(Collectors.toUnmodifiableSet());
        }
    }
}
