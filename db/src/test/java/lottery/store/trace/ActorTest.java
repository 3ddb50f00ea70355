package lottery.store.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import lottery.store.trace.Actor.AccessScope;
import org.axonframework.commandhandling.GenericCommandMessage;
import org.axonframework.messaging.Message;
import org.axonframework.messaging.unitofwork.DefaultUnitOfWork;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An actor")
class ActorTest {

    private static final Actor ANN = new Actor("ann", "player", Set.of("player"), AccessScope.OWN);
    private static final Actor COUPONS =
            new Actor("coupons", "fulfilment", Set.of("fulfilment"), new AccessScope(false, Set.of("COUPON")));
    private static final Actor OLGA = new Actor("olga", "operator", Set.of("operator", "approver"), AccessScope.ALL);

    private final TraceInterceptor interceptor = new TraceInterceptor();

    @Test
    @DisplayName("is known to a thread until its scope ends, and then the one before it is.")
    void scoped() {
        try (var _ = Actor.open(OLGA)) {
            try (var _ = Actor.open(ANN)) {
                assertThat(Actor.current()).contains(ANN);
            }
            assertThat(Actor.current()).contains(OLGA);
            try (var _ = Actor.open(null)) {
                assertThat(Actor.current()).isEmpty();
            }
        }
        assertThat(Actor.current()).isEmpty();
    }

    @Test
    @DisplayName("goes with a command to the thread that handles it, and not with the work that follows.")
    void handedOver() throws Exception {
        Message<?> command;
        try (var _ = Actor.open(ANN)) {
            command = interceptor
                    .handle(List.of(new GenericCommandMessage<>("a command")))
                    .apply(0, new GenericCommandMessage<>("a command"));
        }
        assertThat(Actor.current()).isEmpty();
        Object seen = interceptor.handle(new DefaultUnitOfWork<>(command), Actor::current);
        assertThat(seen).isEqualTo(Optional.of(ANN));

        try (var _ = Actor.open(OLGA)) {
            Object none = interceptor.handle(
                    new DefaultUnitOfWork<>(new GenericCommandMessage<>("of the lottery itself")), Actor::current);
            assertThat(none).isEqualTo(Optional.empty());
        }
    }

    @Test
    @DisplayName("is named in events, with its role.")
    void named() {
        try (var _ = Actor.open(ANN)) {
            assertThat(Actor.ofEvents()).isEqualTo(Map.of("actor", "ann", "role", "player"));
        }
        assertThat(Actor.ofEvents()).isEmpty();
    }

    @Test
    @DisplayName("touches what its scope says, and everything where callers are not authenticated.")
    void scopes() {
        assertThat(Actor.mayAccessDataOf("ben")).isTrue();
        assertThat(Actor.mayAccessKind("CREDIT")).isTrue();
        try (var _ = Actor.open(ANN)) {
            assertThat(Actor.mayAccessDataOf("ann")).isTrue();
            assertThat(Actor.mayAccessDataOf("ben")).isFalse();
            assertThat(Actor.mayAccessKind("CREDIT")).isTrue();
        }
        try (var _ = Actor.open(COUPONS)) {
            assertThat(Actor.mayAccessDataOf("ben")).isTrue();
            assertThat(Actor.mayAccessKind("COUPON")).isTrue();
            assertThat(Actor.mayAccessKind("CREDIT")).isFalse();
        }
    }

    @Test
    @DisplayName("acts in another role only if it has it.")
    void otherRole() {
        assertThat(OLGA.as("approver").map(Actor::role)).contains("approver");
        assertThat(OLGA.as("desk")).isEmpty();
    }
}
