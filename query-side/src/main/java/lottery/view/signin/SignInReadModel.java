package lottery.view.signin;

import java.time.YearMonth;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import lottery.api.UserId;
import lottery.api.signin.SignInEvent;
import lottery.api.signin.SignInsId;
import lottery.view.redis.RedisReadModel;
import lottery.view.redis.RedisReadModels;
import lottery.view.redis.Versioned;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.SequenceNumber;
import org.springframework.stereotype.Component;

/** Reads the sign-ins of users from Redis, and from PostgreSQL behind it. */
@Component
@ProcessingGroup(RedisReadModels.GROUP)
class SignInReadModel {

    private final RedisReadModel<SignInsId, SignInBitmaps> users;

    SignInReadModel(RedisReadModels redis, SignInRows rows) {
        this.users = redis.of(
                SignInBitmaps.class,
                id -> Optional.of(stored(id.userId(), rows)).map(state -> new Versioned<>(state, state.version())));
    }

    private static SignInBitmaps stored(UserId user, SignInRows rows) {
        List<SignInRow> months = rows.findByKeyUserId(user.value());
        return new SignInBitmaps(
                months.stream()
                        .collect(
                                Collectors.toMap(row -> YearMonth.from(row.key().month()), SignInRow::days)),
                months.stream().mapToLong(SignInRow::version).max().orElse(SignInBitmaps.NONE.version()));
    }

    @EventHandler
    void on(SignInEvent event, @SequenceNumber long sequence) {
        users.follow(new SignInsId(event.userId()), sequence, state -> state.evolve(event, sequence));
    }

    SignInBitmaps find(SignInsId id) {
        return users.find(id).orElse(SignInBitmaps.NONE);
    }
}
