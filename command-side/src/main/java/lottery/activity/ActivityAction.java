package lottery.activity;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import lottery.api.activity.ActivityCommand;
import lottery.api.activity.ActivityCommand.AdoptStrategy;
import lottery.api.activity.ActivityCommand.CloseActivity;
import lottery.api.activity.ActivityCommand.OpenActivity;
import lottery.api.activity.ActivityCommand.PassActivity;
import lottery.api.activity.ActivityCommand.PauseActivity;
import lottery.api.activity.ActivityCommand.RefuseActivity;
import lottery.api.activity.ActivityCommand.ResumeActivity;
import lottery.api.activity.ActivityCommand.RevokeActivity;
import lottery.api.activity.ActivityCommand.StartActivity;
import lottery.api.activity.ActivityCommand.SubmitActivity;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ActivityState;
import org.jspecify.annotations.Nullable;

/** An action on an activity. It states in which states the action is allowed, and which state follows. */
enum ActivityAction {
    SUBMIT(ActivityState.ARRAIGNED),
    PASS(ActivityState.PASSED),
    REFUSE(ActivityState.REFUSED),
    REVOKE(ActivityState.EDIT),
    START(ActivityState.DOING),
    PAUSE(ActivityState.PAUSED),
    RESUME(ActivityState.DOING),
    CLOSE(ActivityState.CLOSED),
    OPEN(ActivityState.OPENED),
    /** Approves another version of the strategy. The state of the activity does not change. */
    ADOPT(null);

    private final @Nullable ActivityState leadsTo;

    ActivityAction(@Nullable ActivityState leadsTo) {
        this.leadsTo = leadsTo;
    }

    /** Returns the actions that are allowed in a state. */
    static Set<ActivityAction> allowedIn(ActivityState state) {
        return switch (state) {
            case EDIT -> EnumSet.of(SUBMIT, CLOSE);
            case ARRAIGNED -> EnumSet.of(PASS, REFUSE, REVOKE, CLOSE);
            case PASSED -> EnumSet.of(REFUSE, CLOSE, START, ADOPT);
            case REFUSED -> EnumSet.of(REVOKE, CLOSE);
            case DOING -> EnumSet.of(PAUSE, CLOSE, ADOPT);
            case PAUSED -> EnumSet.of(RESUME, CLOSE, ADOPT);
            case CLOSED -> EnumSet.of(OPEN, ADOPT);
            case OPENED -> EnumSet.of(CLOSE, START, ADOPT);
        };
    }

    ActivityState leadsTo() {
        return Objects.requireNonNull(leadsTo);
    }

    /**
     * @param strategyVersion the version of the strategy that the caller names, for those actions that need one
     * @param definitionVersion the version of the definition that a pass approves
     */
    ActivityCommand on(ActivityId activityId, @Nullable Integer strategyVersion, @Nullable Integer definitionVersion) {
        return switch (this) {
            case SUBMIT -> new SubmitActivity(activityId);
            case PASS -> new PassActivity(activityId, strategyVersion, definitionVersion);
            case REFUSE -> new RefuseActivity(activityId);
            case REVOKE -> new RevokeActivity(activityId);
            case START -> new StartActivity(activityId);
            case PAUSE -> new PauseActivity(activityId);
            case RESUME -> new ResumeActivity(activityId);
            case CLOSE -> new CloseActivity(activityId);
            case OPEN -> new OpenActivity(activityId);
            case ADOPT -> new AdoptStrategy(activityId, Objects.requireNonNull(strategyVersion));
        };
    }

    /** Returns whether the action is only allowed if the activity was passed before. */
    boolean needsPass() {
        return switch (this) {
            case START, OPEN, ADOPT -> true;
            case SUBMIT, PASS, REFUSE, REVOKE, PAUSE, RESUME, CLOSE -> false;
        };
    }

    /** Returns the role that may take this action. */
    String role() {
        return switch (this) {
            case PASS, REFUSE, ADOPT -> "approver";
            case SUBMIT, REVOKE, START, PAUSE, RESUME, CLOSE, OPEN -> "operator";
        };
    }

    /** Returns the name as callers write it. */
    @JsonValue
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
