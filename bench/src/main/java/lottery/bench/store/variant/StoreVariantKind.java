package lottery.bench.store.variant;

import java.util.Locale;

/** The kinds of contenders, from bare SQL at the limit of the machine to the lottery's store. */
public enum StoreVariantKind {
    BATCH("bare SQL, 100 units per transaction, one writer"),
    BARE("bare SQL, one transaction per unit, 16 connections"),
    STOCK("stock Axon JDBC engine, as it comes"),
    TUNED("stock Axon JDBC engine, well set"),
    OURS("this store");

    private final String title;

    StoreVariantKind(String title) {
        this.title = title;
    }

    public String title() {
        return title;
    }

    public String schema() {
        return "lottery_bench_" + name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns how many callers the contender gets: the requested number, but one if the contender has a single writer.
     */
    public int callers(int asked) {
        return this == BATCH ? 1 : asked;
    }
}
