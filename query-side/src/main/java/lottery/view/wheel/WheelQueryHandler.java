package lottery.view.wheel;

import java.time.InstantSource;
import java.util.Optional;
import lottery.api.account.AccountId;
import lottery.api.award.FindWheel;
import lottery.api.award.UserWheel;
import lottery.view.account.AccountReadModel;
import lottery.view.account.UserDrawTally;
import org.axonframework.queryhandling.QueryHandler;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

@Component
class WheelQueryHandler {

    private final WheelCache faces;
    private final AccountReadModel accounts;
    private final InstantSource clock;
    private final JsonMapper json;

    WheelQueryHandler(WheelCache faces, AccountReadModel accounts, InstantSource clock, JsonMapper json) {
        this.faces = faces;
        this.accounts = accounts;
        this.clock = clock;
        this.json = json;
    }

    @QueryHandler
    Optional<UserWheel> answer(FindWheel query) {
        AccountId account = account(query);
        return query.upToDate()
                ? faces.fresh(query.activityId()).map(face -> wheel(face, accounts.storedDraws(account)))
                : faces.find(query.activityId()).map(face -> wheel(face, accounts.draws(account)));
    }

    private UserWheel wheel(SharedWheel face, UserDrawTally drawn) {
        return new UserWheel(face.fields(today(face, drawn), face.reached(drawn.limitedWins())));
    }

    /** Answers without a PostgreSQL query, if that is possible: the caller must not wait longer than for Redis. */
    Optional<RenderedWheel> atOnce(FindWheel query) {
        return faces.known(query.activityId())
                .flatMap(face -> accounts.knownDraws(account(query))
                        .map(drawn -> face.picture(today(face, drawn), face.reached(drawn.limitedWins()), json)));
    }

    private int today(SharedWheel face, UserDrawTally drawn) {
        return drawn.on(face.activity().dayAt(clock.instant()));
    }

    private static AccountId account(FindWheel query) {
        return new AccountId(query.activityId(), query.userId());
    }
}
