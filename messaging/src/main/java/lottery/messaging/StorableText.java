package lottery.messaging;

/** Checks texts of other systems before events store them. */
public final class StorableText {

    private StorableText() {}

    /**
     * Returns whether a text has neither control characters nor unpaired surrogates. PostgreSQL cannot read an event as
     * JSON if a text in it has some of these.
     */
    public static boolean isStorable(String text) {
        return text.codePoints().noneMatch(StorableText::isUnfit);
    }

    private static boolean isUnfit(int character) {
        return Character.isISOControl(character) || Character.getType(character) == Character.SURROGATE;
    }
}
