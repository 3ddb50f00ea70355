package lottery.messaging.feed;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * The rule for schemas of messages. A reader of the earlier revision must be able to read messages of the later one. A
 * reader of the later one must be able to read the earlier messages, which are on the topic for weeks:
 *
 * <ul>
 *   <li>a field may be added, if it is optional;
 *   <li>no field is removed, changes its type, or becomes required or optional;
 *   <li>a value may be added to a choice, and none is removed.
 * </ul>
 */
final class PromisedSchema {

    private PromisedSchema() {}

    /** Returns what a later revision breaks; nothing if it may replace the earlier one. */
    static List<String> brokenBy(JsonNode later, JsonNode earlier) {
        List<String> broken = new ArrayList<>();
        compare("", later, earlier, broken);
        return broken;
    }

    private static void compare(String path, JsonNode later, JsonNode earlier, List<String> broken) {
        for (String fixed : List.of("type", "format")) {
            if (!later.path(fixed).equals(earlier.path(fixed))) {
                broken.add("%s has another %s".formatted(path, fixed));
            }
        }
        choices(path, later.path("enum"), earlier.path("enum"), broken);
        presence(path, later, earlier, broken);
        for (Map.Entry<String, JsonNode> field : earlier.path("properties").properties()) {
            String below = path + "/" + field.getKey();
            JsonNode same = later.path("properties").path(field.getKey());
            if (same.isMissingNode()) {
                broken.add(below + " is gone");
            } else {
                compare(below, same, field.getValue(), broken);
            }
        }
        for (String part : List.of("items", "additionalProperties")) {
            if (earlier.has(part) != later.has(part)) {
                broken.add("%s has other %s".formatted(path, part));
            } else if (earlier.has(part)) {
                compare(path + "/*", later.path(part), earlier.path(part), broken);
            }
        }
    }

    private static void choices(String path, JsonNode later, JsonNode earlier, List<String> broken) {
        if (later.isMissingNode() != earlier.isMissingNode() || !texts(later).containsAll(texts(earlier))) {
            broken.add(path + " has other choices");
        }
    }

    private static void presence(String path, JsonNode later, JsonNode earlier, List<String> broken) {
        Set<String> now = texts(later.path("required"));
        Set<String> then = texts(earlier.path("required"));
        then.stream()
                .filter(field -> !now.contains(field))
                .forEach(field -> broken.add("%s/%s need not be there any more".formatted(path, field)));
        now.stream()
                .filter(field -> !then.contains(field))
                .forEach(field -> broken.add("%s/%s has to be there now".formatted(path, field)));
    }

    private static Set<String> texts(JsonNode array) {
        return array.valueStream().map(JsonNode::asString).collect(Collectors.toCollection(TreeSet::new));
    }
}
