package lottery.choice;

import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.std.StdScalarDeserializer;

/**
 * Reads the value of a matter (a property of a user). A number is kept as written, so that no digit is lost. A text is
 * read as usual.
 */
public final class MatterValueDeserializer extends StdScalarDeserializer<String> {

    public MatterValueDeserializer() {
        super(String.class);
    }

    @Override
    public String deserialize(JsonParser parser, DeserializationContext context) {
        return parser.currentToken().isNumeric() ? parser.getString() : context.readValue(parser, String.class);
    }
}
