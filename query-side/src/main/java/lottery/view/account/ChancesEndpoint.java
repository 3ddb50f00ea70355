package lottery.view.account;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.InstantSource;
import java.util.Optional;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.account.ChancesLeft;
import lottery.api.activity.ActivityId;
import lottery.view.AnswersFromReadModels;
import lottery.view.Query;
import lottery.view.SingleFlight;
import lottery.view.activity.RedisActivityReadModel;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Shows a user's chances over REST. */
@RestController
@Tag(name = "Chances", description = "How many draws a user has left.")
@AnswersFromReadModels({"activities", "accounts"})
class ChancesEndpoint {

    /**
     * Asks for a user's chances in an activity. The answer is empty if there is no such activity. If the user has no
     * account in it, the answer is the free chances of the activity.
     */
    private record FindChances(AccountId account) implements Query<Optional<ChancesLeft>> {}

    private final SingleFlight questions;
    private final RedisActivityReadModel activities;
    private final AccountReadModel accounts;
    private final InstantSource clock;

    ChancesEndpoint(
            SingleFlight questions, RedisActivityReadModel activities, AccountReadModel accounts, InstantSource clock) {
        this.questions = questions;
        this.activities = activities;
        this.accounts = accounts;
        this.clock = clock;
    }

    @Operation(summary = "Show how often a user may draw", description = """
                    Returns the chances of one user in one activity: how many there are, how many are used and how many
                    are left, in total, this month and today. The free chances of the activity are included, even before
                    the first draw. Days and months follow the activity's time zone.""")
    @GetMapping("/api/v1/activities/{activityId}/accounts/{userId}")
    ChancesLeft getChances(@PathVariable ActivityId activityId, @PathVariable UserId userId) {
        return questions
                .ask(new FindChances(new AccountId(activityId, userId)), this::answer)
                .orElseThrow(() -> new RefusedException(Refusal.NOT_FOUND, activityId.text()));
    }

    private Optional<ChancesLeft> answer(FindChances query) {
        return activities
                .recent(query.account().activityId())
                .map(activity ->
                        accounts.find(query.account()).chancesOn(activity.dayAt(clock.instant()), activity.free()));
    }
}
