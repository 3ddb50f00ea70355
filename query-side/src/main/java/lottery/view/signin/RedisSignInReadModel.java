package lottery.view.signin;

import java.time.YearMonth;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import lottery.api.UserId;
import lottery.api.signin.SignInEvent;
import lottery.api.signin.SignInsId;
import lottery.view.redis.RedisCachedReadModel;
import lottery.view.redis.RedisReadModelFactory;
import lottery.view.redis.Versioned;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.SequenceNumber;
import org.springframework.stereotype.Component;

/** Reads the sign-ins of users from Redis, or from PostgreSQL if Redis cannot give the answer. */
@Component
@ProcessingGroup(RedisReadModelFactory.GROUP)
class RedisSignInReadModel {

    private final RedisCachedReadModel<SignInsId, UserSignIns> users;

    RedisSignInReadModel(RedisReadModelFactory redis, SignInRowRepository rows) {
        this.users = redis.of(
                UserSignIns.class,
                id -> Optional.of(stored(id.userId(), rows)).map(state -> new Versioned<>(state, state.version())));
    }

    private static UserSignIns stored(UserId user, SignInRowRepository rows) {
        List<SignInRow> months = rows.findByKeyUserId(user.value());
        return new UserSignIns(
                months.stream()
                        .collect(
                                Collectors.toMap(row -> YearMonth.from(row.key().month()), SignInRow::days)),
                months.stream().mapToLong(SignInRow::version).max().orElse(UserSignIns.NONE.version()));
    }

    @EventHandler
    void on(SignInEvent event, @SequenceNumber long sequence) {
        users.updateIfCached(new SignInsId(event.userId()), sequence, state -> state.evolve(event, sequence));
    }

    UserSignIns find(SignInsId id) {
        return users.find(id).orElse(UserSignIns.NONE);
    }
}
