package lottery.saga.desk;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardCommand.ReleaseAward;
import lottery.api.award.AwardRecordId;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.store.command.CommandSender;
import org.axonframework.commandhandling.SimpleCommandBus;
import org.axonframework.commandhandling.gateway.DefaultCommandGateway;
import org.axonframework.eventsourcing.eventstore.EmbeddedEventStore;
import org.axonframework.eventsourcing.eventstore.EventStoreException;
import org.axonframework.eventsourcing.eventstore.inmemory.InMemoryEventStorageEngine;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The release of an award by an operator")
class OperatorCommandSenderTest {

    private static final AwardRecordId ID =
            AwardRecordId.of(RaffleRequestIdentity.of(new AccountId(new ActivityId(1), new UserId("ann")), "key")
                    .id());

    @Test
    @DisplayName("During an outage of the store the release fails with the outage, so that the operator comes back.")
    void outage() {
        SimpleCommandBus bus = SimpleCommandBus.builder().build();
        bus.subscribe(ReleaseAward.class.getName(), _ -> {
            throw new EventStoreException("the store is away");
        });
        OperatorCommandSender awards = new OperatorCommandSender(
                new CommandSender(
                        DefaultCommandGateway.builder().commandBus(bus).build()),
                EmbeddedEventStore.builder()
                        .storageEngine(new InMemoryEventStorageEngine())
                        .build());

        assertThatThrownBy(() -> awards.release(ID))
                .isInstanceOf(EventStoreException.class)
                .hasMessage("the store is away");
    }
}
