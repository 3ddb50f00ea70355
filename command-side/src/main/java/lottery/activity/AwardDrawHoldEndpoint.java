package lottery.activity;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import lottery.EndpointCommandSender;
import lottery.api.activity.ActivityCommand;
import lottery.api.activity.ActivityCommand.HoldAward;
import lottery.api.activity.ActivityCommand.ReleaseHeldAward;
import lottery.api.activity.ActivityId;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Lets operators hold awards and release them over REST. */
@RestController
// A caller that does not accept JSON is refused before the command runs, not after it.
@RequestMapping(produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "Activity", description = "Creation of activities, and their states from draft to end.")
class AwardDrawHoldEndpoint {

    private static final String AWARD = "/api/v1/activities/{activityId}/awards/{awardId}";

    /** The pattern of a text without control characters. */
    private static final String TEXT = "[^\\x00-\\x1f\\x7f]*";

    /** @param reason a text for people */
    record AwardHoldRequest(
            @NotBlank @Pattern(regexp = TEXT) @Size(max = 500)
            String reason) {}

    /** Whether an award is held after the request. */
    record AwardHoldState(ActivityId activityId, int awardId, boolean held) {}

    private final EndpointCommandSender commands;
    private final ActivityCache activities;

    AwardDrawHoldEndpoint(EndpointCommandSender commands, ActivityCache activities) {
        this.commands = commands;
        this.activities = activities;
    }

    @Operation(summary = "Hold an award", description = """
                    Stops an award from being won, without a new version of the strategy. The award is drawn as if it
                    were sold out, and each draw records that it was held. The hold applies to each draw that begins
                    after the response on this node; other nodes follow within a second, and at the latest within five
                    seconds. Awards that were won before are handed over. Holding an award that is already held changes
                    nothing.""")
    @PostMapping(AWARD + "/hold")
    AwardHoldState holdAward(
            @PathVariable ActivityId activityId, @PathVariable int awardId, @Valid @RequestBody AwardHoldRequest form) {
        return done(new HoldAward(activityId, awardId, form.reason()), awardId, true);
    }

    @Operation(summary = "Release a held award", description = """
                    Lets a held award be won again. All nodes follow as fast as they follow a hold. Releasing an award
                    that is not held changes nothing.""")
    @PostMapping(AWARD + "/release")
    AwardHoldState releaseHeldAward(
            @PathVariable ActivityId activityId, @PathVariable int awardId, @Valid @RequestBody AwardHoldRequest form) {
        return done(new ReleaseHeldAward(activityId, awardId, form.reason()), awardId, false);
    }

    private AwardHoldState done(ActivityCommand command, int awardId, boolean held) {
        var _ = commands.send(command).orThrow();
        activities.forget(command.activityId());
        return new AwardHoldState(command.activityId(), awardId, held);
    }
}
