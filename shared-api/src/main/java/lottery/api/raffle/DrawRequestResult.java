package lottery.api.raffle;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The draws that one request asked for.
 *
 * @param draws the draws that were made, at least one
 * @param shortage why no more draws were made, if fewer were made than asked for
 */
public record DrawRequestResult(
        List<DrawResult> draws, @Nullable FewerDrawsReason shortage) {

    public DrawRequestResult {
        draws = List.copyOf(draws);
    }
}
