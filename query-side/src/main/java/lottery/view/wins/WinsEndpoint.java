package lottery.view.wins;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardRecordId;
import lottery.api.award.Win;
import lottery.api.award.Wins;
import lottery.store.trace.Actor;
import lottery.view.AnswersFromReadModels;
import lottery.view.Paging;
import lottery.view.SingleFlight;
import lottery.view.wins.WinReader.FindWin;
import lottery.view.wins.WinReader.FindWins;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Shows won awards over REST. */
@RestController
@Tag(name = "Wins", description = "Won awards and their history.")
@AnswersFromReadModels("wins")
class WinsEndpoint {

    private final SingleFlight questions;
    private final WinReader wins;

    WinsEndpoint(SingleFlight questions, WinReader wins) {
        this.questions = questions;
        this.wins = wins;
    }

    @Operation(summary = "List a user's awards", description = """
                    Returns the awards that a user has won in an activity, the newest first, page by page. Each award
                    has its history.""")
    @GetMapping("/api/v1/activities/{activityId}/accounts/{userId}/awards")
    Wins listWins(
            @PathVariable ActivityId activityId,
            @PathVariable UserId userId,
            @RequestParam(required = false) @Nullable String cursor,
            @RequestParam(defaultValue = "20") int limit) {
        Paging.require(limit, cursor, WinCursor::of);
        return questions.ask(new FindWins(activityId, userId, cursor, limit), wins::answer);
    }

    @Operation(summary = "Show a won award", description = """
                    Returns one award record with its state and its history. A granted TEXT award has its text. A
                    PHYSICAL award waits for its address. An award that nobody can hand over waits at the desk of the
                    operators.""")
    @GetMapping("/api/v1/award-records/{awardRecordId}")
    Win getWin(@PathVariable AwardRecordId awardRecordId) {
        return questions
                .ask(new FindWin(awardRecordId), wins::answer)
                .filter(win -> Actor.mayAccessDataOf(win.userId().value()))
                .orElseThrow(() -> new RefusedException(Refusal.NOT_FOUND, awardRecordId.text()));
    }
}
