package lottery.view.account;

import java.time.LocalDate;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The facts about a user's draws that the wheel depends on.
 *
 * @param day the user's last day with a draw; null if the user has never drawn
 * @param draws the number of draws on that day
 * @param limitedWins the user's wins by award; it has only awards with a limit per user
 */
public record UserDrawTally(@Nullable LocalDate day, int draws, Map<Integer, Integer> limitedWins) {

    public UserDrawTally {
        limitedWins = Map.copyOf(limitedWins);
    }

    /**
     * Returns the draws on a day; none if the last draw was before that day. If a draw was booked on a later day by a
     * fast clock, that day has already begun for the user.
     */
    public int on(LocalDate today) {
        return day == null || day.isBefore(today) ? 0 : draws;
    }
}
