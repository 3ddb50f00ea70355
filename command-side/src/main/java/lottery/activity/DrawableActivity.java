package lottery.activity;

import java.time.Instant;
import java.time.LocalDate;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.activity.DrawPlan;

/**
 * An activity that is open for draws at this moment.
 *
 * @param now the moment at which the activity was found open; a command decides everything as of this moment
 */
public record DrawableActivity(ActivityProgress progress, Instant now) {

    /** Checks that the activity decides each draw at once. */
    public Answer<DrawableActivity> drawsAtOnce() {
        return progress.definition().draw() == null ? Answer.done(this) : Answer.no(refused(Refusal.DRAW_MODE));
    }

    /** Checks that the activity takes entries at this moment. */
    public Answer<DrawableActivity> takesEntries() {
        DrawPlan plan = progress.definition().draw();
        if (plan == null) {
            return Answer.no(refused(Refusal.DRAW_MODE));
        }
        return now.isBefore(plan.entriesCloseAt()) ? Answer.done(this) : Answer.no(refused(Refusal.ENTRIES_CLOSED));
    }

    private Refused refused(Refusal why) {
        return new Refused(why, progress.activityId().text());
    }

    /** Returns the day by the clock, in the activity's zone. */
    public LocalDate day() {
        return progress.dayAt(now);
    }
}
