package lottery.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doNothing;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import lottery.EndpointCommandSender;
import lottery.activity.ActivityCache;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.UserId;
import lottery.api.account.AccountCommand.Draw;
import lottery.api.account.AccountCommand.DrawQueued;
import lottery.api.account.AccountCommand.RefuseQueued;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.DrawRequestResult;
import lottery.api.raffle.RaffleEvent.RaffleOrderRefused;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.raffle.DrawMeters;
import lottery.raffle.RaffleOrderFacade;
import lottery.store.clock.ClockAgreement.ClocksDisagreeException;
import lottery.store.command.CommandSender;
import org.axonframework.commandhandling.GenericCommandMessage;
import org.axonframework.messaging.unitofwork.DefaultUnitOfWork;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class QueuedDrawHandlerTest {

    private static final UserId ANN = new UserId("ann");
    private static final AccountId ACCOUNT = new AccountId(new ActivityId(100), ANN);
    private static final Instant NOON = Instant.parse("2026-11-27T12:00:00Z");
    private static final DrawQueued QUEUED =
            new DrawQueued(ACCOUNT, RaffleRequestIdentity.of(ACCOUNT, "key").id(), 1, NOON);
    private static final Answer<DrawRequestResult> DRAWN = Answer.done(new DrawRequestResult(List.of(), null));

    private boolean areClocksAgreed = true;

    private final EndpointCommandSender bans = mock(EndpointCommandSender.class);
    private final CommandSender commands = mock(CommandSender.class);
    private final RaffleOrderFacade orders = mock(RaffleOrderFacade.class);
    private final QueuedDrawHandler handler = new QueuedDrawHandler(
            mock(ActivityCache.class),
            bans,
            commands,
            orders,
            mock(DrawMeters.class),
            new SimpleMeterRegistry(),
            InstantSource.fixed(NOON),
            () -> areClocksAgreed);

    private Answer<DrawRequestResult> handle() {
        return DefaultUnitOfWork.startAndGet(GenericCommandMessage.asCommandMessage(QUEUED))
                .executeWithResult(() -> handler.handle(QUEUED))
                .getPayload();
    }

    @Test
    @DisplayName("A ban that was lifted before the request does not refuse it, if this process still knows the ban")
    void banOfThePast() {
        doThrow(new RefusedException(Refusal.USER_BANNED, ANN.value()))
                .when(bans)
                .requireNotBanned(ANN);
        doAnswer(_ -> {
                    doNothing().when(bans).requireNotBanned(ANN);
                    return null;
                })
                .when(bans)
                .forgetBansBefore(NOON);
        when(commands.send(any(Draw.class))).thenReturn(DRAWN);
        assertThat(handle()).isEqualTo(DRAWN);
        verify(orders, never()).refuse(any());
    }

    @Test
    @DisplayName("A request is neither drawn nor refused while the clocks do not agree")
    void inDoubt() {
        areClocksAgreed = false;
        assertThatThrownBy(this::handle).hasCauseInstanceOf(ClocksDisagreeException.class);
        verify(commands, never()).send(any());
        verify(orders, never()).refuse(any());
    }

    @Test
    @DisplayName("A user who is banned is refused for good")
    void banned() {
        doThrow(new RefusedException(Refusal.USER_BANNED, ANN.value()))
                .when(bans)
                .requireNotBanned(ANN);
        assertThat(handle()).isInstanceOf(Answer.No.class);
        verify(commands, never()).send(any());
        verify(orders).refuse(any());
    }

    private boolean refuse() {
        RefuseQueued dropped = new RefuseQueued(QUEUED);
        return DefaultUnitOfWork.startAndGet(GenericCommandMessage.asCommandMessage(dropped))
                .executeWithResult(() -> handler.handle(dropped).orThrow())
                .getPayload();
    }

    @Test
    @DisplayName("A request that was given up is refused once, and never after it was drawn")
    void givenUp() {
        assertThat(refuse()).isTrue();
        verify(orders)
                .refuse(new RaffleOrderRefused(
                        QUEUED.orderId(),
                        ACCOUNT.activityId(),
                        ANN,
                        1,
                        "REQUEST_DROPPED",
                        QUEUED.orderId().text(),
                        NOON,
                        NOON));
        when(orders.isKnown(QUEUED.orderId())).thenReturn(true);
        assertThat(refuse()).isFalse();
        verify(orders).refuse(any());
    }
}
