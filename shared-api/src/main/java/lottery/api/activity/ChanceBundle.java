package lottery.api.activity;

/** A number of chances in total, with the numbers that may be spent in a month and in a day. */
public record ChanceBundle(int total, int month, int day) {

    public static final int CHANCES_MAX = 1_000_000;

    public ChanceBundle {
        if (isOutOfRange(total) || isOutOfRange(month) || isOutOfRange(day)) {
            throw new IllegalArgumentException("a bundle has 1 to " + CHANCES_MAX + " chances of each kind");
        }
    }

    private static boolean isOutOfRange(int chances) {
        return chances < 1 || chances > CHANCES_MAX;
    }
}
