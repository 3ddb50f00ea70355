package lottery.bench.store;

import java.util.concurrent.atomic.AtomicLong;

/** Somebody who stores draws. */
abstract class StoreVariant implements AutoCloseable {

    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong stored = new AtomicLong();

    /** Where it keeps its events, to count them from outside. */
    record Table(String schema, String name, String position) {

        String qualified() {
            return schema + "." + name;
        }
    }

    /** How it is called on the command line and in the tables. */
    abstract StoreEntry entry();

    abstract Table table();

    /** Units that one call stores. */
    int unitsPerCall() {
        return 1;
    }

    /** Events that are there besides those of the units. */
    abstract long otherEvents();

    /** Stores so many units from this number on, and returns when they are durable. */
    abstract void store(long firstNumber);

    /** The next call. */
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
