package lottery.view.signin;

import lottery.api.signin.SignInEvent;
import lottery.api.signin.SignInEvent.UserSignedIn;
import lottery.store.projection.Projection;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.SequenceNumber;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Component;

/** Projects sign-ins to PostgreSQL; {@link RedisSignInReadModel} keeps them in Redis. */
@Component
@ProcessingGroup("sign-ins")
class SignInProjection extends Projection<SignInMonthKey, SignInMonth> {

    static final String TABLE = "view_sign_in";

    SignInProjection(JdbcOperations database) {
        super(database, TABLE, SignInMonthKey.class, SignInMonth.class);
    }

    @EventHandler
    void on(SignInEvent event, @SequenceNumber long sequence) {
        switch (event) {
            case UserSignedIn signed ->
                change(
                        SignInMonthKey.of(signed.userId(), signed.day()),
                        before -> (before == null ? SignInMonth.NONE : before).evolve(event, sequence));
        }
    }
}
