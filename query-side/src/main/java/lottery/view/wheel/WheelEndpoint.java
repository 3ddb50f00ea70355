package lottery.view.wheel;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.award.UserWheel;
import lottery.store.trace.Actor;
import lottery.view.AnswersFromReadModels;
import lottery.view.SingleFlight;
import lottery.view.figures.VisitorCounter;
import lottery.view.wheel.WheelReader.FindWheel;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Shows the wheel over REST. The {@link WheelShortcutFilter} answers most requests before they get here. */
@RestController
@Tag(name = "Wheel", description = "The awards of an activity, as one user sees them.")
@AnswersFromReadModels({"activities", "wheel", "accounts"})
class WheelEndpoint {

    private final SingleFlight questions;
    private final WheelReader wheels;
    private final VisitorCounter visitors;

    WheelEndpoint(SingleFlight questions, WheelReader wheels, VisitorCounter visitors) {
        this.questions = questions;
        this.wheels = wheels;
        this.visitors = visitors;
    }

    @Operation(summary = "Show the wheel as a user sees it", description = """
                    Returns all awards of the activity, in the order of the wheel. For each award it shows whether it is
                    locked, how many draws unlock it, and whether it is sold out, held, or already won as often as the
                    user can. Rates are not included; the published odds have them.""")
    @GetMapping("/api/v1/activities/{activityId}/awards")
    List<UserWheel.WheelAward> getWheel(@PathVariable ActivityId activityId, @RequestParam UserId userId) {
        if (!Actor.mayAccessDataOf(userId.value())) {
            throw new RefusedException(Refusal.NOT_FOUND, activityId.text());
        }
        AccountId account = new AccountId(activityId, userId);
        UserWheel wheel = questions
                .ask(new FindWheel(account), wheels::answer)
                .orElseThrow(() -> new RefusedException(Refusal.NOT_FOUND, activityId.text()));
        visitors.note(account);
        return wheel.fields();
    }
}
