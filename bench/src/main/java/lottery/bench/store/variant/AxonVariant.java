package lottery.bench.store.variant;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import lottery.bench.store.variant.BenchmarkAccountAggregate.Open;
import lottery.bench.store.variant.BenchmarkAccountAggregate.Ping;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.eventsourcing.eventstore.EventStore;

/** A contender with an Axon event store. All such contenders get the same commands. */
public final class AxonVariant extends StoreVariant {

    private static final long ANSWER_MAX_SECONDS = 30;

    private final StoreVariantKind entry;
    private final Table table;
    private final CommandGateway commands;
    private final EventStore events;
    private final Runnable closing;
    private final AtomicLong others = new AtomicLong();

    AxonVariant(StoreVariantKind entry, Table table, CommandGateway commands, EventStore events, Runnable closing) {
        this.entry = entry;
        this.table = table;
        this.commands = commands;
        this.events = events;
        this.closing = closing;
    }

    @Override
    public StoreVariantKind entry() {
        return entry;
    }

    @Override
    public Table table() {
        return table;
    }

    @Override
    public long otherEvents() {
        return others.get();
    }

    public EventStore events() {
        return events;
    }

    @Override
    void store(long firstNumber) {
        send(BenchmarkDraw.number(firstNumber));
    }

    public void open(int user) {
        send(new Open(BenchmarkDraw.account(user)));
        others.incrementAndGet();
    }

    public void ping(int number) {
        send(new Ping(BenchmarkDraw.account(number % BenchmarkDraw.ACCOUNTS), number));
        others.incrementAndGet();
    }

    private void send(Object command) {
        commands.sendAndWait(command, ANSWER_MAX_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        closing.run();
    }
}
