package lottery.problem;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.std.StdScalarDeserializer;

/**
 * Reads text. It refuses unpaired surrogates, and all control characters except tabs and line ends. PostgreSQL cannot
 * store some of these characters. For example, such a character in the name of an award would stop each read model that
 * stores the name.
 */
final class PlainTextDeserializer extends StdScalarDeserializer<String> {

    PlainTextDeserializer() {
        super(String.class);
    }

    @Override
    public String deserialize(JsonParser parser, DeserializationContext context) {
        if (!parser.hasToken(JsonToken.VALUE_STRING)) {
            return (String) context.handleUnexpectedToken(String.class, parser);
        }
        String text = parser.getString();
        if (text.codePoints().anyMatch(PlainTextDeserializer::isUnfit)) {
            return (String) context.handleWeirdStringValue(String.class, "", "a control character");
        }
        return text;
    }

    private static boolean isUnfit(int character) {
        boolean isHalf = character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE;
        boolean isLayout = character == '\t' || character == '\n' || character == '\r';
        return isHalf || (Character.isISOControl(character) && !isLayout);
    }
}
