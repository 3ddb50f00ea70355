package lottery.journey.errand;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.award.AwardCommand;
import lottery.api.award.AwardCommand.ConfirmDispatch;
import lottery.api.award.AwardCommand.GrantAward;
import lottery.api.award.AwardCommand.ReleaseAward;
import lottery.api.award.AwardRecordId;
import lottery.api.award.AwardState;
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

@DisplayName("Commands that travel together")
class ConvoyTest {

    private static final AwardRecordId A = AwardRecordId.of("award:0e-3f1c1f0e-6e43-8b6f-9d55-2f6f1f0a7c11");
    private static final AwardRecordId B = AwardRecordId.of("award:0e-3f1c1f0e-6e43-8b6f-9d55-2f6f1f0a7c12");
    private static final AwardRecordId C = AwardRecordId.of("award:0e-3f1c1f0e-6e43-8b6f-9d55-2f6f1f0a7c13");

    private final SimpleCommandBus bus = SimpleCommandBus.builder().build();
    private final CommandGateway gateway =
            DefaultCommandGateway.builder().commandBus(bus).build();
    private final List<Object> handled = new ArrayList<>();
    private final List<Object> stored = new ArrayList<>();
    private final Set<UnitOfWork<?>> roots = new HashSet<>();

    @BeforeEach
    void listen() {
        bus.subscribe(ConfirmDispatch.class.getName(), message -> {
            handle(message);
            return Answer.done(AwardState.DISPATCHED);
        });
        bus.subscribe(GrantAward.class.getName(), message -> {
            handle(message);
            return Answer.no(new Refused(Refusal.AWARD_STATE, "held back"));
        });
    }

    private void handle(CommandMessage<?> message) {
        handled.add(message.getPayload());
        UnitOfWork<?> root = CurrentUnitOfWork.get().root();
        roots.add(root);
        root.onCommit(committing -> stored.add(message.getPayload()));
    }

    private List<Answer<?>> send(AwardCommand... commands) {
        List<CommandMessage<AwardCommand>> messages = new ArrayList<>();
        for (AwardCommand command : commands) {
            messages.add(new GenericCommandMessage<>(command));
        }
        return Convoy.send(messages, gateway);
    }

    @Test
    @DisplayName("are handled in one unit of work, in their order")
    void together() {
        assertThat(send(new ConfirmDispatch(C), new GrantAward(A, "first"), new ConfirmDispatch(B)))
                .extracting(answer -> answer instanceof Answer.Done<?>)
                .containsExactly(true, false, true);
        assertThat(handled).containsExactly(new ConfirmDispatch(C), new GrantAward(A, "first"), new ConfirmDispatch(B));
        assertThat(stored).containsExactlyInAnyOrderElementsOf(handled);
        assertThat(roots).hasSize(1);
        assertThat(CurrentUnitOfWork.isStarted()).isFalse();
    }

    @Test
    @DisplayName("go once more, all of them, where one was decided by what another process has changed, and only once")
    void stale() {
        AtomicInteger conflicts = new AtomicInteger(1);
        bus.subscribe(ReleaseAward.class.getName(), message -> {
            handle(message);
            CurrentUnitOfWork.get().root().onPrepareCommit(_ -> {
                if (conflicts.getAndDecrement() > 0) {
                    throw new ConcurrencyException("changed elsewhere");
                }
            });
            return Answer.done(AwardState.WON);
        });
        assertThat(send(new ConfirmDispatch(A), new ReleaseAward(B)))
                .hasSize(2)
                .allMatch(Answer.Done.class::isInstance);
        assertThat(stored).containsExactlyInAnyOrder(new ConfirmDispatch(A), new ReleaseAward(B));
        assertThat(roots).hasSize(2);

        conflicts.set(2);
        assertThatThrownBy(() -> send(new ConfirmDispatch(C), new ReleaseAward(B)))
                .isInstanceOf(ConcurrencyException.class);
        assertThat(stored).doesNotContain(new ConfirmDispatch(C));
        assertThat(CurrentUnitOfWork.isStarted()).isFalse();
    }

    @Test
    @DisplayName("come to one aggregate in their own order")
    void oneAggregate() {
        send(new GrantAward(A, "2"), new GrantAward(A, "1"), new ConfirmDispatch(A), new GrantAward(A, "3"));
        assertThat(handled)
                .containsExactly(
                        new GrantAward(A, "2"), new GrantAward(A, "1"), new ConfirmDispatch(A), new GrantAward(A, "3"));
    }

    @Test
    @DisplayName("are none of them stored when one fails, and that failure is told")
    void oneFails() {
        bus.subscribe(GrantAward.class.getName(), message -> {
            throw new IllegalStateException("no database");
        });
        assertThatThrownBy(() -> send(new ConfirmDispatch(A), new GrantAward(B, "first"), new ConfirmDispatch(C)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no database");
        assertThat(handled).containsExactly(new ConfirmDispatch(A));
        assertThat(stored).isEmpty();
        assertThat(CurrentUnitOfWork.isStarted()).isFalse();
    }

    @Test
    @DisplayName("fail together when their commit fails")
    void commitFails() {
        bus.subscribe(GrantAward.class.getName(), message -> {
            CurrentUnitOfWork.get().root().onCommit(committing -> {
                throw new IllegalStateException("no disk");
            });
            return Answer.done(AwardState.GRANTED);
        });
        assertThatThrownBy(() -> send(new ConfirmDispatch(A), new GrantAward(B, "first")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no disk");
        assertThat(CurrentUnitOfWork.isStarted()).isFalse();
    }
}
