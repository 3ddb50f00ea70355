package lottery.api.activity;

import java.util.Optional;
import lottery.api.Query;

/** Asks for the definition and the state of an activity. */
public record FindActivity(ActivityId activityId) implements Query<Optional<ListedActivity>> {}
