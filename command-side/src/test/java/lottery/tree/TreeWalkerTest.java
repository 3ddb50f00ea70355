package lottery.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import lottery.api.tree.Comparison;
import lottery.api.tree.Line;
import lottery.api.tree.Node;
import lottery.api.tree.NodeValueType;
import lottery.api.tree.TreeDefinition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A decision tree")
class TreeWalkerTest {

    /** Leads adults by their city; no line fits anybody else. */
    private static final TreeWalker TREE = TreeWalker.of(new TreeDefinition(
            "age",
            List.of(
                    Node.inner("age", "age", NodeValueType.NUMBER),
                    Node.inner("city", "city", NodeValueType.TEXT),
                    Node.leaf("north", "1"),
                    Node.leaf("south", "2"),
                    Node.leaf("young", "3")),
            List.of(
                    new Line("age", "city", Comparison.AT_LEAST, List.of("18")),
                    new Line("age", "young", Comparison.AT_LEAST, List.of("12")),
                    new Line("city", "north", Comparison.ONE_OF, List.of("Beijing", "Tianjin")),
                    new Line("city", "south", Comparison.EQUAL, List.of("Guangzhou")))));

    @Test
    @DisplayName("A decision follows the first line that fits, and reports each line that it follows.")
    void path() {
        List<TreeStep> path = new ArrayList<>();
        assertThat(TREE.decide(Map.of("age", "20", "city", "Tianjin")::get, path::add))
                .contains("1");
        assertThat(path)
                .containsExactly(
                        new TreeStep("age", "age", "20", "city"), new TreeStep("city", "city", "Tianjin", "north"));
    }

    @ParameterizedTest(name = "{0} from {1}: {2}")
    @CsvSource({
        "18, Guangzhou, 2",
        "17.99, Guangzhou, 3",
        "12, , 3",
        "11, Guangzhou, ",
        "18, Paris, ",
        "18, guangzhou, ",
        "18, , ",
        ", Guangzhou, ",
        "old, Guangzhou, ",
        "'', Guangzhou, "
    })
    @DisplayName("A decision has no result if no line fits, or if a matter is missing or no number.")
    void decides(@Nullable String age, @Nullable String city, @Nullable String result) {
        Map<String, String> matters = new HashMap<>();
        Optional.ofNullable(age).ifPresent(value -> matters.put("age", value));
        Optional.ofNullable(city).ifPresent(value -> matters.put("city", value));
        assertThat(TREE.decide(matters::get, _ -> {})).isEqualTo(Optional.ofNullable(result));
    }

    @ParameterizedTest(name = "{0} is {1} {2}: {3}")
    @CsvSource({
        "10, =, 9, false",
        "10, =, 10.0, true",
        "1e1, =, 10, true",
        "10, >, 9, true",
        "9, >, 9, false",
        "-10, >, 9, false",
        "10, <, 9, false",
        "9, <, 9, false",
        "8.9, <, 9, true",
        "10, >=, 9, true",
        "9, >=, 9.00, true",
        "8.9, >=, 9, false",
        "10, <=, 9, false",
        "9.00, <=, 9, true",
        "-8.9, <=, 9, true",
        "10, one of, 9, false",
        "9.0, one of, 9, true",
        "1e999999999, >, 9, true",
        "-0, =, 0, true",
        "0.1, =, 0.10000000000000000000000000001, false"
    })
    @DisplayName("Numbers are compared by value.")
    void numbers(String matter, String is, String value, boolean fits) {
        assertThat(fits(NodeValueType.NUMBER, matter, is, value)).isEqualTo(fits);
    }

    @ParameterizedTest(name = "{0} is {1} {2}: {3}")
    @CsvSource({
        "a, =, a, true",
        "a, =, b, false",
        "a, =, A, false",
        "10, =, 10.0, false",
        "a, one of, a, true",
        "a, one of, b, false",
        "'', =, '', true"
    })
    @DisplayName("Texts are compared by their characters.")
    void texts(String matter, String is, String value, boolean fits) {
        assertThat(fits(NodeValueType.TEXT, matter, is, value)).isEqualTo(fits);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({"30, true", "1, true", "9.0, true", "2, false", "10, false"})
    @DisplayName("A value is found among several, whatever their order.")
    void oneOf(String matter, boolean fits) {
        assertThat(fits(NodeValueType.NUMBER, matter, "one of", "9", "30", "1", "9"))
                .isEqualTo(fits);
        assertThat(fits(NodeValueType.TEXT, matter, "one of", "9.0", "30", "1", "9"))
                .isEqualTo(fits);
    }

    private static boolean fits(NodeValueType kind, String matter, String is, String... values) {
        Comparison comparison = Stream.of(Comparison.values())
                .filter(candidate -> candidate.sign().equals(is))
                .findFirst()
                .orElseThrow();
        return TreeWalker.of(new TreeDefinition(
                        "root",
                        List.of(Node.inner("root", "matter", kind), Node.leaf("yes", "YES")),
                        List.of(new Line("root", "yes", comparison, List.of(values)))))
                .decide(_ -> matter, _ -> {})
                .isPresent();
    }
}
