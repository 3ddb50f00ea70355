package lottery.store.processing;

/** Describes a failure and its causes in a short text that can be stored. */
public final class CauseText {

    private static final int LENGTH_MAX = 2_000;

    private CauseText() {}

    public static String of(Throwable failure) {
        StringBuilder text = new StringBuilder();
        for (Throwable cause = failure; cause != null && text.length() < LENGTH_MAX; cause = cause.getCause()) {
            text.append(text.isEmpty() ? "" : ", because of ").append(cause);
        }
        // PostgreSQL cannot store NUL in a text. If a failure could not be stored, the processor would stop.
        String clean = text.toString().replace('\0', ' ');
        return clean.length() <= LENGTH_MAX ? clean : clean.substring(0, LENGTH_MAX);
    }
}
