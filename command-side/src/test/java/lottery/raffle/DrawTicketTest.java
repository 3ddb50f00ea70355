package lottery.raffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import lottery.api.raffle.RaffleOrderId;
import lottery.fairness.Seed;
import lottery.rule.RandomStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The ticket of a draw")
class DrawTicketTest {

    private static final DrawTicket TICKET =
            new DrawTicket("00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff");

    @Test
    @DisplayName("The numbers are the HMAC-SHA256 over the awards left out and a counter.")
    void golden() {
        RandomStream random = TICKET.without(List.of());
        assertThat(LongStream.generate(() -> random.below(1_000_000)).limit(6))
                .containsExactly(239277L, 425517L, 839944L, 254249L, 6064L, 830703L);
        RandomStream other = TICKET.without(List.of(3, 12));
        assertThat(LongStream.generate(() -> other.below(1_000_000)).limit(3))
                .containsExactly(271235L, 10118L, 166842L);
    }

    @Test
    @DisplayName("The ticket is the HMAC-SHA256 of the order's id under the seed.")
    void ofSeedAndOrder() {
        Seed seed = Seed.of("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");
        RaffleOrderId order = RaffleOrderId.of("order:0e-3f1c1f0e-6e43-8b6f-9d55-2f6f1f0a7c11");
        assertThat(DrawTicket.of(seed, order).hex())
                .isEqualTo("8dc3c43950f094814aee2b6010b168079b7fab1a522feece9ed63aaa6e83c255");
    }

    @Test
    @DisplayName("The numbers are the same each time they are read from the start.")
    void repeatable() {
        RandomStream once = TICKET.without(List.of());
        RandomStream again = TICKET.without(List.of());
        assertThat(LongStream.generate(() -> once.below(97)).limit(100))
                .containsExactlyElementsOf(LongStream.generate(() -> again.below(97))
                        .limit(100)
                        .boxed()
                        .toList());
    }

    @Test
    @DisplayName("The numbers are below the bound, up to the largest bound.")
    void bounded() {
        RandomStream random = TICKET.without(List.of(1));
        assertThat(LongStream.generate(() -> random.below(3)).limit(1_000)).allMatch(n -> n >= 0 && n < 3);
        assertThat(LongStream.generate(() -> random.below(Long.MAX_VALUE)).limit(1_000))
                .allMatch(n -> n >= 0);
        assertThat(random.below(1)).isZero();
    }
}
