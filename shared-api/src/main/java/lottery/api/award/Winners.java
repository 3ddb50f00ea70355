package lottery.api.award;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import lottery.api.strategy.AwardType;
import org.jspecify.annotations.Nullable;

/** The latest winners of an activity, as everybody may see them. */
public record Winners(List<Winner> items) {

    /**
     * One winner.
     *
     * @param position a text for the place in the list; a stream of winners continues after it
     * @param name the part of the user's id that everybody may see
     */
    public record Winner(
            String position,
            String name,
            int awardId,
            String title,
            AwardType type,

            @Nullable @JsonFormat(shape = JsonFormat.Shape.STRING)
            BigDecimal amount,

            Instant wonAt) {}

    public Winners {
        items = List.copyOf(items);
    }
}
