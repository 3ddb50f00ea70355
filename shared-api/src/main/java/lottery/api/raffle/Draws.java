package lottery.api.raffle;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Draws that were asked for together.
 *
 * @param draws those that were made, at least one
 * @param shortage why there were no more, if fewer were made than asked for
 */
public record Draws(List<Drawn> draws, @Nullable Shortage shortage) {

    public Draws {
        draws = List.copyOf(draws);
    }
}
