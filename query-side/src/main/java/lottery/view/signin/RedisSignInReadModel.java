package lottery.view.signin;

import java.time.YearMonth;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import lottery.api.UserId;
import lottery.api.signin.SignInEvent;
import lottery.api.signin.SignInsId;
import lottery.store.projection.RowReader;
import lottery.view.redis.RedisCachedReadModel;
import lottery.view.redis.RedisReadModelFactory;
import lottery.view.redis.Versioned;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.SequenceNumber;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Component;

/** Reads the sign-ins of users from Redis, or from PostgreSQL if Redis cannot give the answer. */
@Component
@ProcessingGroup(RedisReadModelFactory.GROUP)
class RedisSignInReadModel {

    private final RedisCachedReadModel<SignInsId, UserSignIns> users;

    RedisSignInReadModel(RedisReadModelFactory redis, JdbcOperations database) {
        RowReader<SignInMonthKey, SignInMonth> rows =
                new RowReader<>(database, SignInProjection.TABLE, SignInMonthKey.class, SignInMonth.class);
        this.users = redis.of(
                UserSignIns.class,
                id -> Optional.of(stored(id.userId(), rows)).map(state -> new Versioned<>(state, state.version())));
    }

    private static UserSignIns stored(UserId user, RowReader<SignInMonthKey, SignInMonth> rows) {
        List<Map.Entry<SignInMonthKey, SignInMonth>> months = rows.find(Map::entry, "user_id = ?", user.value());
        return new UserSignIns(
                months.stream()
                        .collect(Collectors.toMap(
                                row -> YearMonth.from(row.getKey().month()),
                                row -> row.getValue().days())),
                months.stream().mapToLong(row -> row.getValue().version()).max().orElse(UserSignIns.NONE.version()));
    }

    @EventHandler
    void on(SignInEvent event, @SequenceNumber long sequence) {
        users.updateIfCached(new SignInsId(event.userId()), sequence, state -> state.evolve(event, sequence));
    }

    UserSignIns find(SignInsId id) {
        return users.find(id).orElse(UserSignIns.NONE);
    }
}
