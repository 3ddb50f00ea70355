package lottery.tree;

import static lottery.api.SubmissionFlaw.FlawKind.LEAF_WITH_LINES;
import static lottery.api.SubmissionFlaw.FlawKind.LINES_IN_A_CIRCLE;
import static lottery.api.SubmissionFlaw.FlawKind.NODE_NEITHER_INNER_NOR_LEAF;
import static lottery.api.SubmissionFlaw.FlawKind.NODE_TWICE;
import static lottery.api.SubmissionFlaw.FlawKind.NODE_UNKNOWN;
import static lottery.api.SubmissionFlaw.FlawKind.NODE_UNREACHABLE;
import static lottery.api.SubmissionFlaw.FlawKind.NODE_WITHOUT_LINES;
import static lottery.api.SubmissionFlaw.FlawKind.RESULT_NOT_ALLOWED;
import static lottery.api.SubmissionFlaw.FlawKind.TEXT_IN_ORDER;
import static lottery.api.SubmissionFlaw.FlawKind.VALUES_DO_NOT_FIT;
import static lottery.api.SubmissionFlaw.FlawKind.VALUE_NO_NUMBER;
import static lottery.api.tree.Comparison.EQUAL;
import static lottery.api.tree.Comparison.GREATER;
import static lottery.api.tree.Comparison.ONE_OF;
import static lottery.api.tree.NodeValueType.NUMBER;
import static lottery.api.tree.NodeValueType.TEXT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import lottery.api.SubmissionFlaw;
import lottery.api.tree.Comparison;
import lottery.api.tree.Line;
import lottery.api.tree.Node;
import lottery.api.tree.TreeDefinition;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The check of a tree")
class TreeDefinitionValidatorTest {

    private static final Node AGE = Node.inner("age", "age", NUMBER);
    private static final Node CITY = Node.inner("city", "city", TEXT);
    private static final Node WIN = Node.leaf("win", "WIN");
    private static final Node LOSE = Node.leaf("lose", "LOSE");

    @Test
    @DisplayName("A sound tree has no findings, even if two ways lead to one node.")
    void sound() {
        assertThat(findings(tree(
                        "age",
                        List.of(AGE, CITY, WIN, LOSE),
                        line("age", "city", GREATER, "17"),
                        line("age", "lose", ONE_OF, "1", "-2.5", "3e2"),
                        line("city", "win", EQUAL, "x"),
                        line("city", "lose", ONE_OF, "y", "z"))))
                .isEmpty();
    }

    @Test
    @DisplayName("A single leaf has no findings.")
    void singleLeaf() {
        assertThat(findings(tree("win", List.of(WIN)))).isEmpty();
    }

    @Nested
    @DisplayName("Findings about nodes")
    class Nodes {

        @Test
        @DisplayName("A missing root is reported, and unreachable nodes are not reported beside it.")
        void root() {
            assertThat(findings(tree("age", List.of(WIN, LOSE))))
                    .containsExactly(new SubmissionFlaw("/tree/root", NODE_UNKNOWN, "age"));
        }

        @Test
        @DisplayName("A name that is used twice is reported.")
        void twice() {
            assertThat(findings(tree("win", List.of(WIN, WIN))))
                    .containsExactly(new SubmissionFlaw("/tree/nodes/1/node", NODE_TWICE, "win"));
        }

        @Test
        @DisplayName("A node that cannot be reached is reported, also if only another such node leads to it.")
        void unreachable() {
            assertThat(findings(tree("win", List.of(WIN, AGE, LOSE), line("age", "lose", EQUAL, "1"))))
                    .containsExactly(
                            new SubmissionFlaw("/tree/nodes/1", NODE_UNREACHABLE, "age"),
                            new SubmissionFlaw("/tree/nodes/2", NODE_UNREACHABLE, "lose"));
        }

        @Test
        @DisplayName("A node that is neither inner nor leaf, or both, or half of one is reported.")
        void shapes() {
            List<Node> odd = List.of(
                    new Node("odd", null, null, null),
                    new Node("odd", "age", NUMBER, "WIN"),
                    new Node("odd", "age", null, null),
                    new Node("odd", null, TEXT, null),
                    new Node("odd", null, TEXT, "WIN"));
            assertThat(odd)
                    .allSatisfy(node -> assertThat(findings(tree("odd", List.of(node))))
                            .containsExactly(new SubmissionFlaw("/tree/nodes/0", NODE_NEITHER_INNER_NOR_LEAF, "odd")));
        }

        @Test
        @DisplayName("A leaf with lines and an inner node without lines are reported.")
        void lines() {
            assertThat(findings(tree("win", List.of(WIN, CITY), line("win", "city", EQUAL, "1"))))
                    .containsExactly(
                            new SubmissionFlaw("/tree/nodes/1", NODE_WITHOUT_LINES, "city"),
                            new SubmissionFlaw("/tree/lines/0/from", LEAF_WITH_LINES, "win"));
        }

        @Test
        @DisplayName("A result that is not allowed is reported.")
        void result() {
            assertThat(findings(tree("draw", List.of(Node.leaf("draw", "DRAW")))))
                    .containsExactly(new SubmissionFlaw("/tree/nodes/0/result", RESULT_NOT_ALLOWED, "DRAW"));
        }
    }

    @Nested
    @DisplayName("Findings about lines")
    class LineFindings {

        @Test
        @DisplayName("A line to or from a missing node is reported.")
        void dangling() {
            assertThat(findings(tree(
                            "age",
                            List.of(AGE, WIN),
                            line("age", "win", EQUAL, "1"),
                            line("age", "there", EQUAL, "2"),
                            line("here", "win", EQUAL, "3"))))
                    .containsExactly(
                            new SubmissionFlaw("/tree/lines/1/to", NODE_UNKNOWN, "there"),
                            new SubmissionFlaw("/tree/lines/2/from", NODE_UNKNOWN, "here"));
        }

        @Test
        @DisplayName("A circle is reported with its nodes, and without the nodes that lead to it.")
        void circle() {
            assertThat(findings(tree(
                            "age",
                            List.of(AGE, inner("a"), inner("b")),
                            line("age", "a", EQUAL, "0"),
                            line("a", "b", EQUAL, "1"),
                            line("b", "a", EQUAL, "2"))))
                    .containsExactly(new SubmissionFlaw("/tree/lines/2", LINES_IN_A_CIRCLE, "a -> b -> a"));
        }

        @Test
        @DisplayName("Each of several circles is reported, also one of a single node and one that is out of reach.")
        void circles() {
            assertThat(findings(tree(
                            "a",
                            List.of(inner("a"), inner("b"), inner("c")),
                            line("a", "a", EQUAL, "0"),
                            line("b", "c", EQUAL, "1"),
                            line("c", "b", EQUAL, "2"))))
                    .containsExactly(
                            new SubmissionFlaw("/tree/lines/0", LINES_IN_A_CIRCLE, "a -> a"),
                            new SubmissionFlaw("/tree/lines/2", LINES_IN_A_CIRCLE, "b -> c -> b"),
                            new SubmissionFlaw("/tree/nodes/1", NODE_UNREACHABLE, "b"),
                            new SubmissionFlaw("/tree/nodes/2", NODE_UNREACHABLE, "c"));
        }

        @ParameterizedTest
        @ValueSource(strings = {"", " ", "x", "1 ", "0x10", "1.", ".5", "+1", "NaN", "1e1000000000", "１８"})
        @DisplayName("Values that are no numbers are reported if numbers are compared.")
        void numbers(String value) {
            assertThat(findings(tree("age", List.of(AGE, WIN), line("age", "win", ONE_OF, "1", value))))
                    .containsExactly(new SubmissionFlaw("/tree/lines/0/values/1", VALUE_NO_NUMBER, value));
        }

        @ParameterizedTest
        @EnumSource(
                value = Comparison.class,
                names = {"EQUAL", "ONE_OF"},
                mode = EnumSource.Mode.EXCLUDE)
        @DisplayName("An order comparison of texts is reported.")
        void order(Comparison is) {
            assertThat(findings(tree("city", List.of(CITY, WIN), line("city", "win", is, "1"))))
                    .containsExactly(new SubmissionFlaw("/tree/lines/0/is", TEXT_IN_ORDER, is.sign()));
        }

        @ParameterizedTest
        @EnumSource(value = Comparison.class)
        @DisplayName("Too few or too many values for the comparison are reported.")
        void values(Comparison is) {
            SubmissionFlaw misfit = new SubmissionFlaw("/tree/lines/0/values", VALUES_DO_NOT_FIT, is.sign());
            assertThat(findings(tree("age", List.of(AGE, WIN), line("age", "win", is))))
                    .containsExactly(misfit);
            assertThat(findings(tree("age", List.of(AGE, WIN), line("age", "win", is, "1", "2"))))
                    .isEqualTo(is == ONE_OF ? List.of() : List.of(misfit));
        }
    }

    @Test
    @DisplayName("All flaws are found at once.")
    void all() {
        assertThat(findings(tree(
                        "nowhere",
                        List.of(AGE, AGE, new Node("odd", null, null, null), Node.leaf("draw", "DRAW")),
                        line("age", "away", GREATER, "x", "y"),
                        line("age", "age", EQUAL, "1"),
                        line("draw", "age", EQUAL, "1"))))
                .extracting(SubmissionFlaw::flaw)
                .containsExactly(
                        NODE_UNKNOWN,
                        NODE_TWICE,
                        NODE_NEITHER_INNER_NOR_LEAF,
                        RESULT_NOT_ALLOWED,
                        VALUE_NO_NUMBER,
                        VALUE_NO_NUMBER,
                        NODE_UNKNOWN,
                        VALUES_DO_NOT_FIT,
                        LEAF_WITH_LINES,
                        LINES_IN_A_CIRCLE);
    }

    @Test
    @DisplayName("At most a hundred flaws are reported.")
    void bounded() {
        Line wrong = new Line("age", "win", ONE_OF, Collections.nCopies(TreeDefinition.VALUES_MAX, "x"));
        assertThat(findings(new TreeDefinition(
                        "age", List.of(AGE, WIN), Collections.nCopies(TreeDefinition.LINES_MAX, wrong))))
                .hasSize(TreeDefinitionValidator.FINDINGS_MAX);
    }

    @Test
    @DisplayName("Compiling a tree checks it, so that no tree with a circle ever decides.")
    void unready() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TreeWalker.of(tree("a", List.of(inner("a")), line("a", "a", EQUAL, "0"))));
    }

    private static List<SubmissionFlaw> findings(TreeDefinition tree) {
        return TreeDefinitionValidator.findings(tree, "/tree", Set.of("WIN", "LOSE")::contains);
    }

    private static TreeDefinition tree(String root, List<Node> nodes, Line... lines) {
        return new TreeDefinition(root, nodes, Stream.of(lines).toList());
    }

    private static Node inner(String name) {
        return Node.inner(name, "matter", NUMBER);
    }

    private static Line line(String from, String to, Comparison is, String... values) {
        return new Line(from, to, is, List.of(values));
    }
}
