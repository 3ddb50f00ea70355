package lottery.bench.store.variant;

import java.util.concurrent.atomic.AtomicLong;

/** A contender that stores draws. */
public abstract class StoreVariant implements AutoCloseable {

    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong stored = new AtomicLong();

    /** The table where a contender keeps its events, so that they can be counted from outside. */
    public record Table(String schema, String name, String position) {

        public String qualified() {
            return schema + "." + name;
        }
    }

    /** Returns the kind, whose name is used on the command line and in the tables. */
    public abstract StoreVariantKind entry();

    public abstract Table table();

    public int unitsPerCall() {
        return 1;
    }

    /** Returns how many events the table has besides those of the measured units of work. */
    public abstract long otherEvents();

    /** Stores the units of one call, beginning with this number, and returns when they are durable. */
    abstract void store(long firstNumber);

    public final void storeNext() {
        store(begun.getAndAdd(unitsPerCall()));
        stored.addAndGet(unitsPerCall());
    }

    public final long storedUnits() {
        return stored.get();
    }

    @Override
    public abstract void close();
}
