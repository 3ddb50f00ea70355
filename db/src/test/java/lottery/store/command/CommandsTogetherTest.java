package lottery.store.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.commandhandling.GenericCommandMessage;
import org.axonframework.commandhandling.SimpleCommandBus;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.commandhandling.gateway.DefaultCommandGateway;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.axonframework.modelling.command.ConcurrencyException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Commands that are sent in one unit of work")
class CommandsTogetherTest {

    private record Note(String on) {}

    private record Grant(String to, String reference) {}

    private record Release(String of) {}

    private static final String A = "a";
    private static final String B = "b";
    private static final String C = "c";

    private final SimpleCommandBus bus = SimpleCommandBus.builder().build();
    private final CommandGateway gateway =
            DefaultCommandGateway.builder().commandBus(bus).build();
    private final List<Object> handled = new ArrayList<>();
    private final List<Object> stored = new ArrayList<>();
    private final Set<UnitOfWork<?>> roots = new HashSet<>();

    @BeforeEach
    void listen() {
        bus.subscribe(Note.class.getName(), message -> {
            handle(message);
            return "noted";
        });
        bus.subscribe(Grant.class.getName(), message -> {
            handle(message);
            return "held back";
        });
    }

    private void handle(CommandMessage<?> message) {
        handled.add(message.getPayload());
        UnitOfWork<?> root = CurrentUnitOfWork.get().root();
        roots.add(root);
        root.onCommit(committing -> stored.add(message.getPayload()));
    }

    private List<String> send(Object... commands) {
        return new CommandSender(gateway)
                .sendAll(Stream.of(commands).map(GenericCommandMessage::new).toList());
    }

    @Test
    @DisplayName("are handled in one unit of work, in their order")
    void together() {
        assertThat(send(new Note(C), new Grant(A, "first"), new Note(B)))
                .containsExactly("noted", "held back", "noted");
        assertThat(handled).containsExactly(new Note(C), new Grant(A, "first"), new Note(B));
        assertThat(stored).containsExactlyInAnyOrderElementsOf(handled);
        assertThat(roots).hasSize(1);
        assertThat(CurrentUnitOfWork.isStarted()).isFalse();
    }

    @Test
    @DisplayName("are all sent once more, and only once, where another process has changed what one was decided on")
    void stale() {
        AtomicInteger conflicts = new AtomicInteger(1);
        bus.subscribe(Release.class.getName(), message -> {
            handle(message);
            CurrentUnitOfWork.get().root().onPrepareCommit(_ -> {
                if (conflicts.getAndDecrement() > 0) {
                    throw new ConcurrencyException("changed elsewhere");
                }
            });
            return "released";
        });
        assertThat(send(new Note(A), new Release(B))).containsExactly("noted", "released");
        assertThat(stored).containsExactlyInAnyOrder(new Note(A), new Release(B));
        assertThat(roots).hasSize(2);

        conflicts.set(2);
        assertThatThrownBy(() -> send(new Note(C), new Release(B)))
                .isInstanceOf(CommandFailedException.class)
                .hasCauseInstanceOf(ConcurrencyException.class);
        assertThat(stored).doesNotContain(new Note(C));
        assertThat(CurrentUnitOfWork.isStarted()).isFalse();
    }

    @Test
    @DisplayName("reach one aggregate in their own order")
    void oneAggregate() {
        send(new Grant(A, "2"), new Grant(A, "1"), new Note(A), new Grant(A, "3"));
        assertThat(handled).containsExactly(new Grant(A, "2"), new Grant(A, "1"), new Note(A), new Grant(A, "3"));
    }

    @Test
    @DisplayName("are not stored when one of them fails, and its failure is thrown")
    void oneFails() {
        bus.subscribe(Grant.class.getName(), message -> {
            throw new IllegalStateException("no database");
        });
        assertThatThrownBy(() -> send(new Note(A), new Grant(B, "first"), new Note(C)))
                .isInstanceOf(CommandFailedException.class)
                .hasRootCauseMessage("no database");
        assertThat(handled).containsExactly(new Note(A));
        assertThat(stored).isEmpty();
        assertThat(CurrentUnitOfWork.isStarted()).isFalse();
    }

    @Test
    @DisplayName("fail together when their commit fails")
    void commitFails() {
        bus.subscribe(Grant.class.getName(), message -> {
            CurrentUnitOfWork.get().root().onCommit(committing -> {
                throw new IllegalStateException("no disk");
            });
            return "granted";
        });
        assertThatThrownBy(() -> send(new Note(A), new Grant(B, "first")))
                .isInstanceOf(CommandFailedException.class)
                .hasRootCauseMessage("no disk");
        assertThat(CurrentUnitOfWork.isStarted()).isFalse();
    }
}
