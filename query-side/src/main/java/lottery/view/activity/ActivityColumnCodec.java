package lottery.view.activity;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.RoundCommitment;
import tools.jackson.databind.json.JsonMapper;

/** Encodes the contents of columns that are never searched: definitions and rounds as JSON, and held awards as text. */
final class ActivityColumnCodec {

    private static final JsonMapper JSON = JsonMapper.builder()
            .changeDefaultPropertyInclusion(inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_NULL))
            .build();

    private ActivityColumnCodec() {}

    static String text(ActivityDefinition definition) {
        return JSON.writeValueAsString(definition);
    }

    static ActivityDefinition definition(String text) {
        return JSON.readValue(text, ActivityDefinition.class);
    }

    static String text(SortedSet<Integer> held) {
        return held.stream().map(String::valueOf).collect(joining(","));
    }

    static SortedSet<Integer> held(String text) {
        return text.isEmpty()
                ? Collections.emptySortedSet()
                : Arrays.stream(text.split(",")).map(Integer::valueOf).collect(toCollection(TreeSet::new));
    }

    static String text(List<RoundCommitment> rounds) {
        return JSON.writeValueAsString(rounds);
    }

    static List<RoundCommitment> rounds(String text) {
        return List.of(JSON.readValue(text, RoundCommitment[].class));
    }
}
