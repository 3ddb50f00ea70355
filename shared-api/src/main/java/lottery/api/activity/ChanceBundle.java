package lottery.api.activity;

/** A number of chances in total, with the numbers that may be spent in a month and in a day; or no chances at all. */
public record ChanceBundle(int total, int month, int day) {

    public static final int CHANCES_MAX = 1_000_000;

    /** The bundle of a SKU that gives no chances. */
    public static final ChanceBundle NONE = new ChanceBundle(0, 0, 0);

    public ChanceBundle {
        boolean isNone = total == 0 && month == 0 && day == 0;
        if (!isNone && (isOutOfRange(total) || isOutOfRange(month) || isOutOfRange(day))) {
            throw new IllegalArgumentException("a bundle has 1 to " + CHANCES_MAX + " chances of each kind");
        }
    }

    private static boolean isOutOfRange(int chances) {
        return chances < 1 || chances > CHANCES_MAX;
    }
}
