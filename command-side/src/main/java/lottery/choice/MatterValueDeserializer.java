package lottery.choice;

import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.std.StdScalarDeserializer;

/** Reads a number as it is written, so that no digit is lost. It reads a text as usual. */
public final class MatterValueDeserializer extends StdScalarDeserializer<String> {

    public MatterValueDeserializer() {
        super(String.class);
    }

    @Override
    public String deserialize(JsonParser parser, DeserializationContext context) {
        return parser.currentToken().isNumeric() ? parser.getString() : context.readValue(parser, String.class);
    }
}
