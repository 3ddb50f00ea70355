package lottery.bench.invariant;

/** Counts what was looked at and what was wrong with it, and keeps the first wrong in words. */
final class Tally {

    private long checked;
    private long violated;
    private String first = "";

    void checked() {
        checked++;
    }

    void violated(String words) {
        if (violated == 0) {
            first = words;
        }
        violated++;
    }

    Verdict verdict(String name, String promise) {
        return verdict(name, promise, "");
    }

    Verdict verdict(String name, String promise, String remark) {
        return new Verdict(name, promise, checked, violated, first, remark);
    }
}
