package lottery.view.wheel;

import java.time.InstantSource;
import java.util.Optional;
import lottery.api.account.AccountId;
import lottery.api.award.UserWheel;
import lottery.view.Query;
import lottery.view.account.AccountReadModel;
import lottery.view.account.UserDrawTally;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Answers the wheel of a user: the wheel that all users share, with the locks that this user's draws have opened. */
@Component
class WheelReader {

    /**
     * Asks for the awards that a user sees on the wheel, and which of them are still locked. The answer is empty if
     * there is no such activity.
     */
    record FindWheel(AccountId account) implements Query<Optional<UserWheel>> {}

    private final WheelCache wheels;
    private final AccountReadModel accounts;
    private final InstantSource clock;
    private final JsonMapper json;

    WheelReader(WheelCache wheels, AccountReadModel accounts, InstantSource clock, JsonMapper json) {
        this.wheels = wheels;
        this.accounts = accounts;
        this.clock = clock;
        this.json = json;
    }

    Optional<UserWheel> answer(FindWheel query) {
        AccountId account = query.account();
        return wheels.find(account.activityId()).map(shared -> wheel(shared, accounts.draws(account)));
    }

    private UserWheel wheel(SharedWheel shared, UserDrawTally drawn) {
        return new UserWheel(shared.fields(today(shared, drawn), shared.reached(drawn.limitedWins())));
    }

    /**
     * Returns the wheel without a PostgreSQL query; empty if that is not possible. It waits at most as long as Redis
     * takes for an answer.
     */
    Optional<RenderedWheel> atOnce(AccountId account) {
        return wheels.known(account.activityId())
                .flatMap(shared -> accounts.knownDraws(account)
                        .map(drawn ->
                                shared.rendered(today(shared, drawn), shared.reached(drawn.limitedWins()), json)));
    }

    private int today(SharedWheel shared, UserDrawTally drawn) {
        return drawn.on(shared.activity().dayAt(clock.instant()));
    }
}
