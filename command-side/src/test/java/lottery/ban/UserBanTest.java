package lottery.ban;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.hasToString;

import java.time.Instant;
import java.time.InstantSource;
import lottery.CommandTargets;
import lottery.PersonsInMemory;
import lottery.api.Answer;
import lottery.api.RefusedException;
import lottery.api.UserId;
import lottery.api.ban.BanCommand.BanUser;
import lottery.api.ban.BanCommand.LiftBan;
import lottery.api.ban.BanEvent.UserBanLifted;
import lottery.api.ban.BanEvent.UserBanned;
import lottery.api.ban.BanId;
import lottery.api.ban.BanResult;
import org.axonframework.modelling.command.AggregateNotFoundException;
import org.axonframework.test.aggregate.AggregateTestFixture;
import org.axonframework.test.aggregate.FixtureConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The ban of a user")
class UserBanTest {

    private static final UserId ANN = new UserId("ann");
    private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");
    private static final Instant TOMORROW = NOW.plusSeconds(86_400);
    private static final String REASON = "Many accounts";

    private final PersonsInMemory texts = new PersonsInMemory();

    private final FixtureConfiguration<UserBan> bans = new AggregateTestFixture<>(UserBan.class)
            .registerCommandTargetResolver(new CommandTargets())
            .registerInjectableResource(texts)
            .registerInjectableResource(InstantSource.fixed(NOW));

    private UserBanned banned(@Nullable Instant until, String reason) {
        return new UserBanned(ANN, until, texts.seal("ann", new BanId(ANN).text(), reason));
    }

    @Test
    @DisplayName("A reason is sealed. After an erasure the ban holds, and the same request is news.")
    void erased() {
        UserBanned sealed = banned(null, REASON);
        texts.erase("ann", "key1");
        assertThat(sealed.holdsAt(NOW)).isTrue();
        bans.given(sealed)
                .when(new BanUser(ANN, null, REASON))
                .expectEvents(new UserBanned(ANN, null, sealed.sealedReason().replaceFirst("key1", "key2")));
    }

    @Test
    @DisplayName("It begins with its end and its reason.")
    void begins() {
        bans.givenNoPriorActivity()
                .when(new BanUser(ANN, TOMORROW, REASON))
                .expectEvents(banned(TOMORROW, REASON))
                .expectResultMessagePayload(Answer.done(new BanResult(true)));
    }

    @Test
    @DisplayName("The same ban again changes nothing.")
    void again() {
        bans.given(banned(null, REASON))
                .when(new BanUser(ANN, null, REASON))
                .expectNoEvents()
                .expectResultMessagePayload(Answer.done(new BanResult(false)));
    }

    @Test
    @DisplayName("Another end, or another reason, replaces what was said before.")
    void changed() {
        bans.given(banned(TOMORROW, REASON))
                .when(new BanUser(ANN, null, REASON))
                .expectEvents(banned(null, REASON));
        bans.given(banned(TOMORROW, REASON))
                .when(new BanUser(ANN, TOMORROW, "Fraud"))
                .expectEvents(banned(TOMORROW, "Fraud"));
    }

    @Test
    @DisplayName("It is refused if it would be over already, or if its end is out of reach.")
    void past() {
        for (Instant end : new Instant[] {NOW, NOW.minusNanos(1), Instant.MIN}) {
            bans.givenNoPriorActivity()
                    .when(new BanUser(ANN, end, REASON))
                    .expectNoEvents()
                    .expectException(RefusedException.class)
                    .expectException(hasToString(containsString("INVALID")));
        }
        bans.given(banned(TOMORROW, REASON))
                .when(new BanUser(ANN, Instant.MAX, REASON))
                .expectNoEvents()
                .expectException(RefusedException.class);
    }

    @Test
    @DisplayName("It is lifted once, and can begin again after that.")
    void lifted() {
        bans.given(banned(TOMORROW, REASON))
                .when(new LiftBan(ANN))
                .expectEvents(new UserBanLifted(ANN))
                .expectResultMessagePayload(Answer.done(new BanResult(true)));
        bans.given(banned(TOMORROW, REASON), new UserBanLifted(ANN))
                .when(new LiftBan(ANN))
                .expectNoEvents()
                .expectResultMessagePayload(Answer.done(new BanResult(false)));
        bans.given(banned(TOMORROW, REASON), new UserBanLifted(ANN))
                .when(new BanUser(ANN, TOMORROW, REASON))
                .expectEvents(banned(TOMORROW, REASON));
    }

    @Test
    @DisplayName("It need not be lifted after it has ended by itself.")
    void ended() {
        bans.given(banned(NOW, REASON)).when(new LiftBan(ANN)).expectNoEvents();
    }

    @Test
    @DisplayName("A user who was never banned has none that could be lifted.")
    void never() {
        bans.givenNoPriorActivity()
                .when(new LiftBan(ANN))
                .expectNoEvents()
                .expectException(AggregateNotFoundException.class);
    }
}
