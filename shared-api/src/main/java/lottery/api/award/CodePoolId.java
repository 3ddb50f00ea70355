package lottery.api.award;

import lottery.api.activity.ActivityId;

/** Identifies the codes of one award in one activity. */
public record CodePoolId(ActivityId activityId, int awardId) {

    /** Returns the id as a text, which is also the name of the series that numbers the codes that are given. */
    public String text() {
        return "codes:" + activityId.value() + "/" + awardId;
    }
}
