package lottery.choice;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.SubmissionFlaw;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.choice.TreeEvent.TreeDefined;
import lottery.api.choice.TreeId;
import lottery.api.tree.TreeDefinition;
import lottery.tree.TreeStep;
import lottery.tree.TreeWalker;
import org.jspecify.annotations.Nullable;

/** One version of a tree, compiled so that it can choose. */
record CompiledChoiceTree(TreeId treeId, int version, TreeDefinition definition, TreeWalker tree) {

    /** The matter with the user's own id, so that a line of the tree can name users. */
    static final String USER = "userId";

    static CompiledChoiceTree of(TreeDefined defined) {
        return new CompiledChoiceTree(
                defined.treeId(), defined.version(), defined.definition(), TreeWalker.of(defined.definition()));
    }

    /** Returns whether the tree can lead any user to this activity. */
    boolean mayLeadTo(ActivityId activityId) {
        return definition.nodes().stream()
                .anyMatch(node ->
                        node.result() != null && ActivityId.of(node.result()).equals(activityId));
    }

    /**
     * Returns the user if the tree leads the user to this activity. If it does not, the refusal lists the lines that
     * were followed.
     */
    Answer<UserId> admit(UserId user, ActivityId activityId, Map<String, String> matters) {
        List<TreeStep> path = new ArrayList<>();
        Optional<String> result = tree.decide(matter -> valueOf(matter, user, matters), path::add);
        if (result.map(ActivityId::of).filter(activityId::equals).isPresent()) {
            return Answer.done(user);
        }
        List<SubmissionFlaw> findings = new ArrayList<>();
        for (TreeStep step : path) {
            String line = "%s -> %s (%s)".formatted(step.node(), step.to(), step.value());
            findings.add(new SubmissionFlaw(pointer(step.matter()), SubmissionFlaw.FlawKind.LINE_FOLLOWED, line));
        }
        if (result.isEmpty()) {
            findings.add(
                    deadEnd(path.isEmpty() ? definition.root() : path.getLast().to(), user, matters));
        }
        return Answer.no(new Refused(Refusal.NOT_IN_AUDIENCE, treeId.text(), findings));
    }

    private SubmissionFlaw deadEnd(String name, UserId user, Map<String, String> matters) {
        String matter = definition.nodes().stream()
                .filter(node -> node.node().equals(name))
                .map(node -> Objects.requireNonNull(node.matter()))
                .findFirst()
                .orElseThrow();
        String value = valueOf(matter, user, matters);
        return value == null
                ? new SubmissionFlaw(pointer(matter), SubmissionFlaw.FlawKind.MISSING)
                : new SubmissionFlaw(
                        pointer(matter), SubmissionFlaw.FlawKind.NO_LINE_FITS, "%s (%s)".formatted(name, value));
    }

    private static String pointer(String matter) {
        return "/matters/" + matter.replace("~", "~0").replace("/", "~1");
    }

    private static @Nullable String valueOf(String matter, UserId user, Map<String, String> matters) {
        return matter.equals(USER) ? user.value() : matters.get(matter);
    }

    /** Returns the activity to which the tree leads a user, even if the activity is not open; empty if no line fits. */
    Optional<ActivityChoice> choose(UserId user, Map<String, String> matters) {
        List<TreeStep> path = new ArrayList<>();
        return tree.decide(matter -> valueOf(matter, user, matters), path::add)
                .map(result -> new ActivityChoice(ActivityId.of(result), version, path));
    }
}
