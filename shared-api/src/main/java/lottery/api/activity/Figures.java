package lottery.api.activity;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The figures of an activity, in all and day by day.
 *
 * @param zone the zone of the days
 * @param total the figures of the whole activity, also before and after these days
 * @param visitors about how many users whose wheel was looked at; null while this is unknown
 * @param payers how many users have bought something with money, without a refund that was made or is under way
 * @param budget how much of the budget is spent; null if the activity has none
 * @param days the days from the first to the last, without days on which nothing happened
 */
public record Figures(
        ActivityId activityId,
        ZoneId zone,
        LocalDate from,
        LocalDate to,
        FigureSums total,
        @Nullable Long visitors,
        long payers,
        @Nullable BudgetUse budget,
        List<DayFigures> days) {

    /**
     * The sums over one or more days.
     *
     * @param players the users who have drawn or entered the pool; each of them counts once
     * @param draws how many draws were made at once, or how many entries of the pool have won
     * @param entries how many entries the pool has got; 0 if the activity draws at once
     * @param wins the awards that were won; an award that nobody has won is not in the list
     * @param cost the cost of all wins, computed with the costs of the awards in the strategy
     * @param freeChances chances that the activity gave by itself
     * @param rechargedChances chances that recharges brought
     * @param spentChances chances that were spent on these days
     * @param returnedChances how many of these spent chances were given back since
     */
    public record FigureSums(
            long players,
            long draws,
            long entries,
            List<AwardWins> wins,
            @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal cost,
            long freeChances,
            long rechargedChances,
            long spentChances,
            long returnedChances) {

        public FigureSums {
            wins = List.copyOf(wins);
        }
    }

    /** How often an award was won, also as the fallback, and what that cost. */
    public record AwardWins(
            int awardId,
            long wins,
            @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal cost) {}

    /**
     * How much of the budget is spent now. What a win cost is given back if the award is taken from its winner.
     *
     * @param perDay the budget of each day; null if there is none, and then the next two are null, too
     * @param spentToday how much of the budget of today is spent
     */
    public record BudgetUse(
            @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal amount,
            @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal spent,
            @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal left,

            @Nullable @JsonFormat(shape = JsonFormat.Shape.STRING)
            BigDecimal perDay,

            @Nullable @JsonFormat(shape = JsonFormat.Shape.STRING)
            BigDecimal spentToday,

            @Nullable @JsonFormat(shape = JsonFormat.Shape.STRING)
            BigDecimal leftToday) {}

    /** The sums of one day. */
    public record DayFigures(LocalDate day, FigureSums sums) {}

    public Figures {
        days = List.copyOf(days);
    }
}
