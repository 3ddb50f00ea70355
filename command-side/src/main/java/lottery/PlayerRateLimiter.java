package lottery;

import java.util.Optional;
import lottery.store.pace.CallerRateLimiter;
import lottery.store.trace.Actor;

/**
 * Limits how fast a player spends chances, so that one player on many connections does not crowd out the others.
 * Callers who act for players have no limit here. It is thread-safe.
 */
final class PlayerRateLimiter {

    private final CallerRateLimiter limiter;

    PlayerRateLimiter(CallerRateLimiter limiter) {
        this.limiter = limiter;
    }

    /** Takes one unit for the player that this thread works for; returns false if there is none now. */
    boolean tryTake() {
        return player().map(limiter::tryTake).orElse(true);
    }

    /** Takes units that were spent already. The player's later requests wait for them. */
    void take(int units) {
        player().ifPresent(player -> limiter.take(player, units));
    }

    private static Optional<String> player() {
        return Actor.current().filter(actor -> actor.scope().ownOnly()).map(Actor::name);
    }
}
