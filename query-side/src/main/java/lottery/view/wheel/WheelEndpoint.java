package lottery.view.wheel;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.award.FindWheel;
import lottery.api.award.Wheel;
import lottery.store.trace.Actor;
import lottery.view.QuerySender;
import lottery.view.ReadsFrom;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Shows the wheel over REST. The {@link WheelShortcutFilter} answers most requests before. */
@RestController
@ReadsFrom({"activities", "wheel", "stock", "accounts"})
class WheelEndpoint {

    private final QuerySender questions;

    WheelEndpoint(QuerySender questions) {
        this.questions = questions;
    }

    @GetMapping("/api/v1/activities/{activityId}/awards")
    List<Wheel.WheelAward> getWheel(
            @PathVariable ActivityId activityId, @RequestParam UserId userId, HttpServletRequest request) {
        // A caller that has waited for a position must see it, and is not answered from a cache.
        boolean upToDate = request.getParameter("after") != null;
        if (!Actor.mayTouchOf(userId.value())) {
            throw new RefusedException(Refusal.NOT_FOUND, activityId.text());
        }
        return questions
                .find(new FindWheel(activityId, userId, upToDate), Wheel.class)
                .orElseThrow(() -> new RefusedException(Refusal.NOT_FOUND, activityId.text()))
                .fields();
    }
}
