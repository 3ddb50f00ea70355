package lottery.view.figures;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.activity.ActivityId;
import lottery.api.activity.Figures;
import lottery.view.AnswersFromReadModels;
import lottery.view.SingleFlight;
import lottery.view.figures.FiguresReader.FindFigures;
import org.jspecify.annotations.Nullable;
import org.springframework.format.annotation.DateTimeFormat;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Shows the figures of an activity over REST. */
@RestController
@Tag(name = "Figures", description = "Players, draws, wins and costs of an activity, by day.")
@AnswersFromReadModels({"activities", "payments", FigureProjection.GROUP})
class FiguresEndpoint {

    /**
     * The first year that a query may name; the next constant is the last one. The database can store all days of these
     * years, and activities can have these days.
     */
    private static final int YEAR_MIN = 1970;

    private static final int YEAR_MAX = 9999;

    private static final int DAYS_MAX = 366;

    private final SingleFlight questions;
    private final FiguresReader figures;

    FiguresEndpoint(SingleFlight questions, FiguresReader figures) {
        this.questions = questions;
        this.figures = figures;
    }

    @Operation(summary = "Show the figures of an activity", description = """
                    Returns the number of players, draws and wins, the cost of the wins, and the chances, for each day
                    from `from` to `to`. A request covers at most 366 days, in the activity's time zone. Without `from`
                    and `to` it covers the last 30 days. `total` covers the whole activity and counts each player once.
                    A win counts when it is drawn, even if the award is not handed over later. `visitors` counts the
                    users whose wheel was looked at, to within about one percent, and `payers` the users who have bought
                    something with money, without a refund. In an activity that is
                    drawn at one time, `entries` counts the entries in the pool, and each win of the pool counts as a
                    draw.""")
    @GetMapping("/api/v1/activities/{activityId}/figures")
    Figures getFigures(
            @PathVariable ActivityId activityId,
            @RequestParam(required = false) @DateTimeFormat(iso = DateTimeFormat.ISO.DATE) @Nullable LocalDate from,
            @RequestParam(required = false) @DateTimeFormat(iso = DateTimeFormat.ISO.DATE) @Nullable LocalDate to) {
        requirePossible("from", from);
        requirePossible("to", to);
        if (from != null && to != null) {
            long days = ChronoUnit.DAYS.between(from, to) + 1;
            if (days < 1 || days > DAYS_MAX) {
                throw new RefusedException(Refusal.INVALID, "to");
            }
        }
        return questions
                .ask(new FindFigures(activityId, from, to), figures::answer)
                .orElseThrow(() -> new RefusedException(Refusal.NOT_FOUND, activityId.text()));
    }

    private static void requirePossible(String name, @Nullable LocalDate day) {
        if (day != null && (day.getYear() < YEAR_MIN || day.getYear() > YEAR_MAX)) {
            throw new RefusedException(Refusal.INVALID, name);
        }
    }
}
