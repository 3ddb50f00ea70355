package lottery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Set;
import java.util.stream.IntStream;
import lottery.limit.CallerRateLimiter;
import lottery.store.trace.Actor;
import lottery.store.trace.Actor.AccessScope;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The rate limit of a player")
class PlayerRateLimiterTest {

    private static final int PER_SECOND = 2;

    private final PlayerRateLimiter limiter = new PlayerRateLimiter(new CallerRateLimiter(PER_SECOND));

    private static Actor player(String name) {
        return new Actor(name, "player", Set.of("player"), AccessScope.OWN);
    }

    private long taken(Actor actor, int asked) {
        try (var _ = Actor.open(actor)) {
            return IntStream.range(0, asked).filter(_ -> limiter.tryTake()).count();
        }
    }

    @Test
    @DisplayName("lets twice a second's units through at once, and then as many a second.")
    void burst() {
        assertThat(taken(player("ann"), 20)).isEqualTo(2 * PER_SECOND);
        await().atMost(Duration.ofSeconds(5)).until(() -> taken(player("ann"), 1) == 1);
    }

    @Test
    @DisplayName("is the player's own.")
    void eachForItself() {
        assertThat(taken(player("ann"), 20)).isEqualTo(2 * PER_SECOND);
        assertThat(taken(player("ben"), 20)).isEqualTo(2 * PER_SECOND);
    }

    @Test
    @DisplayName("counts what one command has spent beyond its first unit.")
    void spentAtOnce() {
        try (var _ = Actor.open(player("ann"))) {
            assertThat(limiter.tryTake()).isTrue();
            limiter.take(9);
            assertThat(limiter.tryTake()).isFalse();
        }
    }

    @Test
    @DisplayName("does not hold for callers who act for players, nor for the lottery itself.")
    void othersAreFree() {
        assertThat(taken(new Actor("shop", "front", Set.of("front"), AccessScope.ALL), 20))
                .isEqualTo(20);
        assertThat(IntStream.range(0, 20).allMatch(_ -> limiter.tryTake())).isTrue();
    }

    @Test
    @DisplayName("is none where it is set to 0.")
    void off() {
        PlayerRateLimiter none = new PlayerRateLimiter(new CallerRateLimiter(0));
        try (var _ = Actor.open(player("ann"))) {
            assertThat(IntStream.range(0, 20).allMatch(_ -> none.tryTake())).isTrue();
        }
    }
}
