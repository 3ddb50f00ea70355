package lottery.view.account;

import java.time.LocalDate;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The facts about a user's draws that the wheel depends on.
 *
 * @param day the user's last day with a draw; null if the user has never drawn
 * @param draws the number of draws on {@code day}
 * @param limitedWins how often the user has won each award with a limit per user
 */
public record UserDrawTally(@Nullable LocalDate day, int draws, Map<Integer, Integer> limitedWins) {

    public UserDrawTally {
        limitedWins = Map.copyOf(limitedWins);
    }

    /**
     * Returns the number of draws on a day; 0 if the last draw was before that day. If a fast clock has booked a draw
     * on a later day, it returns the draws of that later day, because that day has already begun for the user.
     */
    public int on(LocalDate today) {
        return day == null || day.isBefore(today) ? 0 : draws;
    }
}
