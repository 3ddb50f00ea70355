package lottery.store;

import static org.axonframework.modelling.command.AggregateLifecycle.apply;

import java.util.Map;
import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.modelling.command.AggregateCreationPolicy;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.axonframework.modelling.command.AggregateLifecycle;
import org.axonframework.modelling.command.CreationPolicy;
import org.axonframework.modelling.command.TargetAggregateIdentifier;
import org.axonframework.spring.stereotype.Aggregate;
import org.jspecify.annotations.Nullable;

/** An aggregate for tests of the store, which knows nothing of it. */
@Aggregate(
        type = "parcel",
        cache = "parcels",
        lockFactory = "aggregateLocks",
        snapshotTriggerDefinition = "everyTenMoves")
public class Parcel {

    record SendParcel(@TargetAggregateIdentifier String parcel, String from) {}

    record MoveParcel(@TargetAggregateIdentifier String parcel, String to) {}

    /** A command that writes nothing. */
    record CountMoves(@TargetAggregateIdentifier String parcel) {}

    /**
     * Sends the parcel if it is not known.
     *
     * @param meanwhile what happens between the look for the parcel and the commit
     */
    record SendUnknownParcel(@TargetAggregateIdentifier String parcel, Runnable meanwhile) {}

    /** Leaves this parcel as it is, and sends another one, named after the number of moves of this one. */
    record SendAnother(@TargetAggregateIdentifier String parcel) {}

    public sealed interface ParcelEvent {

        String parcel();
    }

    public record ParcelSent(String parcel, @Nullable String from) implements ParcelEvent {}

    public record ParcelMoved(String parcel, String to) implements ParcelEvent {}

    /** An event without a stable name. */
    record ParcelPainted(String parcel) {}

    static final EventTypes TYPES = EventTypes.of(
            Map.of("parcel.sent", ParcelSent.class, "parcel.moved", ParcelMoved.class),
            type -> type == ParcelMoved.class ? 2 : 1);

    @AggregateIdentifier
    @SuppressWarnings("unused") // Axon reads it.
    private @Nullable String id;

    private int moves;

    Parcel() {}

    @CommandHandler
    @CreationPolicy(AggregateCreationPolicy.ALWAYS)
    void handle(SendParcel send) {
        apply(new ParcelSent(send.parcel(), send.from()));
    }

    /** Returns whether the parcel was not known. */
    @CommandHandler
    @CreationPolicy(AggregateCreationPolicy.CREATE_IF_MISSING)
    boolean handle(SendUnknownParcel send) {
        send.meanwhile().run();
        if (id != null) {
            return false;
        }
        apply(new ParcelSent(send.parcel(), "Riga"));
        return true;
    }

    @CommandHandler
    int handle(MoveParcel move) {
        apply(new ParcelMoved(move.parcel(), move.to()));
        return moves;
    }

    @CommandHandler
    void handle(SendAnother send) throws Exception {
        String another = send.parcel() + "/" + moves;
        AggregateLifecycle.createNew(Parcel.class, () -> {
            Parcel sent = new Parcel();
            sent.handle(new SendParcel(another, "Riga"));
            return sent;
        });
    }

    @CommandHandler
    int handle(CountMoves ignored) {
        return moves;
    }

    @EventSourcingHandler
    void on(ParcelEvent event) {
        switch (event) {
            case ParcelSent sent -> id = sent.parcel();
            case ParcelMoved ignored -> moves++;
        }
    }
}
