package lottery.bench.store;

import java.util.concurrent.atomic.AtomicLong;

/** A contender that stores draws. */
abstract class StoreVariant implements AutoCloseable {

    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong stored = new AtomicLong();

    /** The table where a contender keeps its events, so that they can be counted from outside. */
    record Table(String schema, String name, String position) {

        String qualified() {
            return schema + "." + name;
        }
    }

    /** Returns the kind, whose name is used on the command line and in the tables. */
    abstract StoreVariantKind entry();

    abstract Table table();

    int unitsPerCall() {
        return 1;
    }

    /** Returns how many events the table has besides those of the measured units of work. */
    abstract long otherEvents();

    /** Stores the units of one call, beginning with this number, and returns when they are durable. */
    abstract void store(long firstNumber);

    final void storeNext() {
        store(begun.getAndAdd(unitsPerCall()));
        stored.addAndGet(unitsPerCall());
    }

    final long storedUnits() {
        return stored.get();
    }

    @Override
    public abstract void close();
}
