package lottery;

import java.util.Optional;
import lottery.limit.CallerRateLimiter;
import lottery.store.trace.Actor;

/**
 * Limits how fast a player spends chances, so that one player on many connections does not crowd out the others.
 * Callers who act for players have no limit here. The class is thread-safe.
 */
final class PlayerRateLimiter {

    private final CallerRateLimiter limiter;

    PlayerRateLimiter(CallerRateLimiter limiter) {
        this.limiter = limiter;
    }

    /**
     * Takes one unit of the rate of the player who sent the current request; returns false if no unit is left now. For
     * other callers it always returns true.
     */
    boolean tryTake() {
        return player().map(limiter::tryTake).orElse(true);
    }

    /**
     * Takes units for chances that the player has spent already. Later requests of the player are refused until the
     * rate has made up for them.
     */
    void take(int units) {
        player().ifPresent(player -> limiter.take(player, units));
    }

    private static Optional<String> player() {
        return Actor.current().filter(actor -> actor.scope().ownOnly()).map(Actor::name);
    }
}
