package lottery.view.activity;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.RoundCommitment;
import tools.jackson.databind.json.JsonMapper;

/** Encodes what stands as JSON in columns that are never searched: definitions and rounds. */
final class ActivityColumns {

    private static final JsonMapper JSON = JsonMapper.builder()
            .changeDefaultPropertyInclusion(inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_NULL))
            .build();

    private ActivityColumns() {}

    static String text(ActivityDefinition definition) {
        return JSON.writeValueAsString(definition);
    }

    static ActivityDefinition definition(String text) {
        return JSON.readValue(text, ActivityDefinition.class);
    }

    static String text(List<RoundCommitment> rounds) {
        return JSON.writeValueAsString(rounds);
    }

    static List<RoundCommitment> rounds(String text) {
        return List.of(JSON.readValue(text, RoundCommitment[].class));
    }
}
