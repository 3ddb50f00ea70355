package lottery.messaging.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@DisplayName("A later revision of a schema")
class PromisedSchemaTest {

    private static final String EARLIER = """
            {"type": "object", "required": ["id", "award"], "properties": {
              "id": {"type": "integer"},
              "note": {"type": "string"},
              "kind": {"type": "string", "enum": ["A", "B"]},
              "award": {"type": "object", "required": ["title"], "properties": {"title": {"type": "string"}}},
              "all": {"type": "array", "items": {"type": "integer"}}}}""";

    private static JsonNode schema(String json) {
        return JsonMapper.shared().readTree(json);
    }

    private static List<String> broken(String part, String instead) {
        assertThat(EARLIER).contains(part);
        return PromisedSchema.brokenBy(schema(EARLIER.replace(part, instead)), schema(EARLIER));
    }

    @Test
    @DisplayName("A revision may be the same, or have more fields and more choices.")
    void grown() {
        assertThat(broken("integer", "integer")).isEmpty();
        assertThat(broken("\"note\":", "\"more\": {\"type\": \"string\"}, \"note\":"))
                .isEmpty();
        assertThat(broken("\"B\"", "\"B\", \"C\"")).isEmpty();
    }

    @ParameterizedTest(name = "{2}")
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            "note":                                   | "remark":                       | /note is gone
            "properties": {"title": {"type": "string"}} | "properties": {}               | /award/title is gone
            "id": {"type": "integer"}                 | "id": {"type": "string"}        | /id has another type
            ["id", "award"]                           | ["id"]                          | /award need not be there any more
            ["id", "award"]                           | ["id", "award", "note"]         | /note has to be there now
            ["title"]                                 | []                              | /award/title need not be there any more
            ["A", "B"]                                | ["A"]                           | /kind has other choices
            , "enum": ["A", "B"]                      | ~~                              | /kind has other choices
            "items": {"type": "integer"}              | "items": {"type": "string"}     | /all/* has another type
            , "items": {"type": "integer"}            | ~~                              | /all has other items
            """)
    @DisplayName("A revision with another change breaks the earlier one.")
    void breaking(String part, String instead, String why) {
        assertThat(broken(part, instead)).containsExactly(why);
    }
}
