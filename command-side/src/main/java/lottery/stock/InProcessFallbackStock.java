package lottery.stock;

import java.time.InstantSource;
import lottery.stock.StockClaimLookupPacer.ClaimLookupResult;

/** A stock whose free units are kept in the memory of this process. It is used while Redis is away. */
final class InProcessFallbackStock {

    private static final int NEVER = -1;

    /** Reads the claims of a stock in PostgreSQL. */
    @FunctionalInterface
    interface ClaimReader {

        /** Returns whether the check found anything new. */
        boolean at(FreeUnitPicker stock, int total);
    }

    private final FreeUnitPicker stock = new FreeUnitPicker();
    private final StockClaimLookupPacer pace = new StockClaimLookupPacer();
    private volatile int loadedIn = NEVER;
    private volatile boolean astray;

    FreeUnitPicker stock() {
        return stock;
    }

    /** Records that a claim was refused, which means that other processes take from this stock too. */
    void recordRefusedClaim() {
        astray = true;
        pace.soon();
    }

    /**
     * Reads the claims if a read is due. One draw reads them. Other draws use the claims that are known at that time.
     * They wait only if nothing is known in this era yet.
     *
     * @param era the era of the circuit; claims that were read in an earlier era are out of date, because other
     *     processes have taken units from Redis since then
     */
    void upToDate(int total, int era, InstantSource clock, ClaimReader reader) {
        if (loadedIn != era) {
            load(total, era, reader);
        } else if (stock.total() != total || ((astray || stock.isEmpty()) && pace.isDue(clock.instant()))) {
            pace.look(clock, () -> found(total, reader));
        }
    }

    private synchronized void load(int total, int era, ClaimReader reader) {
        if (loadedIn != era) {
            found(total, reader);
            loadedIn = era;
        }
    }

    private ClaimLookupResult found(int total, ClaimReader reader) {
        astray = false;
        boolean changed = reader.at(stock, total);
        if (!stock.isEmpty()) {
            return ClaimLookupResult.UNITS;
        }
        return changed ? ClaimLookupResult.NONE_NOW : ClaimLookupResult.NONE_STILL;
    }
}
