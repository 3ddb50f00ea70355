package lottery.choice;

import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.std.StdScalarDeserializer;

/** A number counts as it is written, so that none of its digits is lost; a text is read like any other. */
final class MatterText extends StdScalarDeserializer<String> {

    MatterText() {
        super(String.class);
    }

    @Override
    public String deserialize(JsonParser parser, DeserializationContext context) {
        return parser.currentToken().isNumeric() ? parser.getString() : context.readValue(parser, String.class);
    }
}
