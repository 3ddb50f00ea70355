package lottery.view.figures;

import java.time.LocalDate;

/**
 * Identifies a row of figures.
 *
 * @param awardId the award that draws won; {@link #NOTHING} for draws that won none, and for chances
 */
record FigureKey(long activityId, LocalDate day, int awardId) {

    static final int NOTHING = 0;
}
