package lottery.view.wheel;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.award.FindWheel;
import lottery.api.award.Wheel;
import lottery.view.Questions;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.filter.ShallowEtagHeaderFilter;

/**
 * The wheel over REST. It is what every visitor asks for: most answers take one round trip to Redis and nothing else.
 */
@RestController
class WheelEndpoint {

    private final WheelAnswers answers;
    private final Questions questions;

    WheelEndpoint(WheelAnswers answers, Questions questions) {
        this.answers = answers;
        this.questions = questions;
    }

    @GetMapping("/api/v1/activities/{activityId}/awards")
    ResponseEntity<List<Wheel.Field>> wheel(
            @PathVariable ActivityId activityId, @RequestParam UserId userId, HttpServletRequest request) {
        // Who has waited for a position must see it, and is not answered from memory.
        boolean upToDate = request.getParameter("after") != null;
        FindWheel query = new FindWheel(activityId, userId, upToDate);
        if (!upToDate) {
            Picture picture = answers.atOnce(query).orElse(null);
            if (picture != null) {
                // It has its ETag already.
                ShallowEtagHeaderFilter.disableContentCaching(request);
                return ResponseEntity.ok().eTag(picture.tag()).body(picture);
            }
        }
        return ResponseEntity.ok(questions
                .find(query, Wheel.class)
                .orElseThrow(() -> new RefusedException(Refusal.NOT_FOUND, activityId.text()))
                .fields());
    }
}
