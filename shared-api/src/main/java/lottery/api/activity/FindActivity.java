package lottery.api.activity;

import java.util.Optional;
import lottery.api.Query;

/** How is this activity described, and how far is it? */
public record FindActivity(ActivityId activityId) implements Query<Optional<ListedActivity>> {}
