package lottery.signin;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import lottery.EndpointCommandSender;
import lottery.IdempotentCreation;
import lottery.IdempotentReplyBuilder;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.UserId;
import lottery.api.signin.SignInCommand.SignIn;
import lottery.api.signin.SignInResult;
import lottery.rebate.BehaviourReader;
import lottery.rebate.RebateReply;
import lottery.store.trace.Actor;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Signs users in over REST. A repeated request is recognised by its day. */
@RestController
// A caller that does not accept JSON is refused before the command runs, not after it.
@RequestMapping(produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "Sign-in", description = "The daily sign-in, and what it earns.")
class SignInEndpoint {

    /**
     * @param zone the time zone of the user, which a front may send; if it is left out, the zone of the lottery counts
     */
    record SignInRequest(@Nullable ZoneId zone) {}

    record SignInReceipt(LocalDate day, int streak, int daysThisMonth, List<RebateReply> rebates) {}

    private final EndpointCommandSender commands;
    private final BehaviourReader behaviours;
    private final InstantSource clock;
    private final ZoneId usualZone;

    SignInEndpoint(
            EndpointCommandSender commands,
            BehaviourReader behaviours,
            InstantSource clock,
            @Value("${lottery.zone:Asia/Shanghai}") ZoneId usualZone) {
        this.commands = commands;
        this.behaviours = behaviours;
        this.clock = clock;
        this.usualZone = usualZone;
    }

    @Operation(summary = "Sign a user in", description = """
                    Signs the user in for today. This also reports the behaviour `sign` and orders its rebates. Signing
                    in again on the same day returns 200 with the same body. `streak` is the number of consecutive days
                    that end today; it continues across the ends of months, and starts at 1 again after a missed day.
                    The current day is taken in the time zone of the lottery, or in `zone`. Only a front can send
                    `zone`, because a player could use it to choose another day. If the user has already signed in on a
                    later day, the request returns that sign-in.""")
    @IdempotentCreation
    @PostMapping("/api/v1/users/{userId}/sign-ins")
    ResponseEntity<SignInReceipt> signIn(
            @PathVariable UserId userId, @RequestBody(required = false) @Nullable SignInRequest form) {
        LocalDate today = LocalDate.ofInstant(clock.instant(), zone(form));
        SignInResult signed = commands.sendInTurn(new SignIn(userId, today)).orThrow();
        List<RebateReply> rebates = behaviours
                .first(signed.behaviourId())
                .map(RebateReply::all)
                .orElseThrow(() -> new IllegalStateException("no behaviour of the sign-in of " + signed.day()));
        SignInReceipt receipt = new SignInReceipt(signed.day(), signed.streak(), signed.daysThisMonth(), rebates);
        return signed.isNew() ? IdempotentReplyBuilder.created(receipt) : IdempotentReplyBuilder.repeated(receipt);
    }

    private ZoneId zone(@Nullable SignInRequest form) {
        ZoneId said = form == null ? null : form.zone();
        if (said == null) {
            return usualZone;
        }
        if (Actor.current().map(actor -> actor.scope().ownOnly()).orElse(false)) {
            throw new RefusedException(Refusal.FORBIDDEN, "zone");
        }
        return said;
    }
}
