package lottery.view.activity;

import com.fasterxml.jackson.annotation.JsonInclude;
import lottery.api.activity.ActivityDefinition;
import tools.jackson.databind.json.JsonMapper;

/** Encodes definitions for a column that is never searched. */
final class DefinitionCodec {

    private static final JsonMapper JSON = JsonMapper.builder()
            .changeDefaultPropertyInclusion(inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_NULL))
            .build();

    private DefinitionCodec() {}

    static String text(ActivityDefinition definition) {
        return JSON.writeValueAsString(definition);
    }

    static ActivityDefinition of(String text) {
        return JSON.readValue(text, ActivityDefinition.class);
    }
}
