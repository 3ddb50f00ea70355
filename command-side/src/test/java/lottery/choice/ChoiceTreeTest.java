package lottery.choice;

import static lottery.api.SubmissionFlaw.FlawKind.ACTIVITY_UNKNOWN;
import static lottery.api.SubmissionFlaw.FlawKind.NODE_UNREACHABLE;
import static lottery.api.SubmissionFlaw.FlawKind.RESULT_NOT_ALLOWED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.hasToString;

import java.util.ArrayList;
import java.util.List;
import lottery.CommandTargets;
import lottery.api.Answer;
import lottery.api.RefusedException;
import lottery.api.SubmissionFlaw;
import lottery.api.choice.DefinedTreeVersion;
import lottery.api.choice.TreeCommand.DefineTree;
import lottery.api.choice.TreeEvent.TreeDefined;
import lottery.api.choice.TreeId;
import lottery.api.tree.Comparison;
import lottery.api.tree.Line;
import lottery.api.tree.Node;
import lottery.api.tree.NodeValueType;
import lottery.api.tree.TreeDefinition;
import org.axonframework.test.aggregate.AggregateTestFixture;
import org.axonframework.test.aggregate.FixtureConfiguration;
import org.axonframework.test.aggregate.TestExecutor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The aggregate of a decision tree")
class ChoiceTreeTest {

    private static final TreeId ID = new TreeId(5);
    private static final ActivityExistenceLookup UP_TO_200 = activityId -> activityId.value() <= 200;

    private final FixtureConfiguration<ChoiceTree> tree = new AggregateTestFixture<>(ChoiceTree.class)
            .registerCommandTargetResolver(new CommandTargets())
            .registerInjectableResource(UP_TO_200);

    @Test
    @DisplayName("The first definition has version 1.")
    void defined() {
        tree.givenNoPriorActivity()
                .when(new DefineTree(ID, null, to("100")))
                .expectEvents(new TreeDefined(ID, 1, to("100")))
                .expectResultMessagePayload(Answer.done(new DefinedTreeVersion(1, true)));
    }

    @Nested
    @DisplayName("A tree in version 2")
    class InVersion2 {

        private TestExecutor<ChoiceTree> given() {
            return tree.given(new TreeDefined(ID, 1, to("100")), new TreeDefined(ID, 2, to("101")));
        }

        @ParameterizedTest(name = "by who has read version {0}")
        @NullSource
        @ValueSource(ints = 2)
        @DisplayName("A tree in version 2 is replaced by a definition that is based on it, or on none.")
        void replaced(@Nullable Integer basedOn) {
            given().when(new DefineTree(ID, basedOn, to("100")))
                    .expectEvents(new TreeDefined(ID, 3, to("100")))
                    .expectResultMessagePayload(Answer.done(new DefinedTreeVersion(3, true)));
        }

        @ParameterizedTest(name = "by who has read version {0}")
        @ValueSource(ints = {0, 1, 3})
        @DisplayName("A tree is not replaced by a definition that is based on another version.")
        void stale(int basedOn) {
            given().when(new DefineTree(ID, basedOn, to("100")))
                    .expectNoEvents()
                    .expectException(RefusedException.class)
                    .expectException(hasToString(containsString("VERSION_STALE tree:5 (2)")));
        }

        @ParameterizedTest(name = "by who has read version {0}")
        @NullSource
        @ValueSource(ints = {1, 2})
        @DisplayName("A tree stays as it is when the same definition comes again.")
        void same(@Nullable Integer basedOn) {
            given().when(new DefineTree(ID, basedOn, to("101")))
                    .expectNoEvents()
                    .expectResultMessagePayload(Answer.done(new DefinedTreeVersion(2, false)));
        }
    }

    @Test
    @DisplayName("A tree is created neither with flaws nor as a new version of an existing one.")
    void refused() {
        tree.givenNoPriorActivity()
                .when(new DefineTree(ID, null, to("201")))
                .expectNoEvents()
                .expectException(hasToString(containsString("TREE_INVALID tree:5")));
        tree.givenNoPriorActivity()
                .when(new DefineTree(ID, 1, to("100")))
                .expectNoEvents()
                .expectException(hasToString(containsString("VERSION_STALE tree:5 (0)")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "007", "1.0", "one", " 1", "9223372036854775808", "99999999999999999999"})
    @DisplayName("A result that is no id of an activity is a flaw.")
    void noActivity(String result) {
        assertThat(ActivityChoiceTreeValidator.findings(to(result), _ -> true))
                .containsExactly(new SubmissionFlaw("/nodes/1/result", RESULT_NOT_ALLOWED, result));
    }

    @Test
    @DisplayName("Unknown activities are reported together with the other flaws.")
    void findings() {
        assertThat(ActivityChoiceTreeValidator.findings(to("9223372036854775807"), _ -> true))
                .isEmpty();
        List<Node> nodes = new ArrayList<>(to("201").nodes());
        nodes.add(Node.leaf("lonely", "100"));
        assertThat(ActivityChoiceTreeValidator.findings(
                        new TreeDefinition("age", nodes, to("201").lines()), UP_TO_200))
                .containsExactly(
                        new SubmissionFlaw("/nodes/2", NODE_UNREACHABLE, "lonely"),
                        new SubmissionFlaw("/nodes/1/result", ACTIVITY_UNKNOWN, "201"));
    }

    private static TreeDefinition to(String result) {
        return new TreeDefinition(
                "age",
                List.of(Node.inner("age", "age", NodeValueType.NUMBER), Node.leaf("grown-up", result)),
                List.of(new Line("age", "grown-up", Comparison.AT_LEAST, List.of("18"))));
    }
}
