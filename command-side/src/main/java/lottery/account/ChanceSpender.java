package lottery.account;

import java.util.Map;
import java.util.function.Function;
import lottery.EndpointCommandSender;
import lottery.IdempotentResult;
import lottery.api.Answer;
import lottery.api.Refused;
import lottery.api.UserId;
import lottery.api.account.AccountCommand;
import lottery.api.account.AccountCommand.Draw;
import lottery.api.raffle.DrawRequestResult;
import lottery.choice.AudienceMembership;
import lottery.raffle.DrawMeters;
import lottery.raffle.RepeatedRequestAnswerer;
import org.springframework.stereotype.Component;

/** Spends chances of users who belong to the audience of the activity. */
@Component
class ChanceSpender {

    private final EndpointCommandSender commands;
    private final AudienceMembership audience;
    private final RepeatedRequestAnswerer repeatedRequests;
    private final DrawMeters drawMeters;

    ChanceSpender(
            EndpointCommandSender commands,
            AudienceMembership audience,
            RepeatedRequestAnswerer repeatedRequests,
            DrawMeters drawMeters) {
        this.commands = commands;
        this.audience = audience;
        this.repeatedRequests = repeatedRequests;
        this.drawMeters = drawMeters;
    }

    void requireNotBanned(UserId user) {
        commands.requireNotBanned(user);
    }

    /**
     * Makes draws. Each further draw also counts against the rate of the player and of all draws.
     *
     * @param command the draw, perhaps with the choice of its activity
     */
    Answer<IdempotentResult<DrawRequestResult>> draw(
            Draw draw, AccountCommand<DrawRequestResult> command, Map<String, String> matters) {
        return spend(command, matters, refused -> repeatedRequests.draws(draw.request(), draw.count(), refused))
                .then(drawn -> {
                    if (!drawn.isReplayed()) {
                        drawMeters.add(draw.accountId(), drawn.value());
                        commands.charge(drawn.value().draws().size() - 1);
                    }
                    return Answer.done(drawn);
                });
    }

    /**
     * Sends a command that spends a chance.
     *
     * @param matters what a trusted caller says about the user
     */
    <R> Answer<IdempotentResult<R>> spend(
            AccountCommand<R> command, Map<String, String> matters, Function<Refused, Answer<R>> earlier) {
        return commands.spend(command.userId(), command, () -> audience.admit(command.accountId(), matters), earlier);
    }
}
