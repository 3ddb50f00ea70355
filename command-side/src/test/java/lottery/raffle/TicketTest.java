package lottery.raffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import lottery.rule.Chance;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A ticket")
class TicketTest {

    private static final Ticket TICKET = new Ticket("00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff");

    @Test
    @DisplayName("says the numbers that anyone finds with HMAC-SHA256 over what is left out and a counter")
    void golden() {
        Chance chance = TICKET.without(List.of());
        assertThat(LongStream.generate(() -> chance.below(1_000_000)).limit(6))
                .containsExactly(239277L, 425517L, 839944L, 254249L, 6064L, 830703L);
        Chance other = TICKET.without(List.of(3, 12));
        assertThat(LongStream.generate(() -> other.below(1_000_000)).limit(3))
                .containsExactly(271235L, 10118L, 166842L);
    }

    @Test
    @DisplayName("says the same numbers each time it is asked from the start")
    void repeatable() {
        Chance once = TICKET.without(List.of());
        Chance again = TICKET.without(List.of());
        assertThat(LongStream.generate(() -> once.below(97)).limit(100))
                .containsExactlyElementsOf(LongStream.generate(() -> again.below(97))
                        .limit(100)
                        .boxed()
                        .toList());
    }

    @Test
    @DisplayName("says numbers below the bound only, up to the largest bound there is")
    void bounded() {
        Chance chance = Ticket.fresh(new Random(1)).without(List.of(1));
        assertThat(LongStream.generate(() -> chance.below(3)).limit(1_000)).allMatch(n -> n >= 0 && n < 3);
        assertThat(LongStream.generate(() -> chance.below(Long.MAX_VALUE)).limit(1_000))
                .allMatch(n -> n >= 0);
        assertThat(chance.below(1)).isZero();
    }
}
