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

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import lottery.api.SubmissionFlaw;
import lottery.api.SubmissionFlaw.FlawKind;
import lottery.api.tree.Comparison;
import lottery.api.tree.Line;
import lottery.api.tree.Node;
import lottery.api.tree.NodeValueType;
import lottery.api.tree.TreeDefinition;

/** Checks a tree, and finds all of its flaws at once. */
public final class TreeDefinitionValidator {

    /**
     * The most flaws that are reported. Every value of every line could have a flaw. An author corrects the reported
     * flaws first, and then sees the others.
     */
    static final int FINDINGS_MAX = 100;

    private final TreeDefinition definition;
    private final String pointer;
    private final Predicate<String> resultsAllowed;
    private final Map<String, Node> nodes = new HashMap<>();
    private final Map<String, List<Integer>> linesFrom = new HashMap<>();
    private final List<SubmissionFlaw> findings = new ArrayList<>();

    private TreeDefinitionValidator(TreeDefinition definition, String pointer, Predicate<String> resultsAllowed) {
        this.definition = definition;
        this.pointer = pointer;
        this.resultsAllowed = resultsAllowed;
        definition.nodes().forEach(node -> nodes.putIfAbsent(node.node(), node));
        for (int i = 0; i < definition.lines().size(); i++) {
            linesFrom
                    .computeIfAbsent(definition.lines().get(i).from(), _ -> new ArrayList<>())
                    .add(i);
        }
    }

    /**
     * Returns the flaws of a tree, whose size must be within the limits.
     *
     * @param pointer the place of the tree in the request; empty if the request is the tree itself
     */
    public static List<SubmissionFlaw> findings(
            TreeDefinition definition, String pointer, Predicate<String> resultsAllowed) {
        TreeDefinitionValidator validator = new TreeDefinitionValidator(definition, pointer, resultsAllowed);
        validator.root();
        validator.nodes();
        validator.lines();
        validator.circles();
        validator.reach();
        return validator.findings.stream().limit(FINDINGS_MAX).toList();
    }

    private void root() {
        if (!nodes.containsKey(definition.root())) {
            found("/root", NODE_UNKNOWN, definition.root());
        }
    }

    private void nodes() {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < definition.nodes().size(); i++) {
            Node node = definition.nodes().get(i);
            if (!seen.add(node.node())) {
                found("/nodes/" + i + "/node", NODE_TWICE, node.node());
            }
            shape(node, "/nodes/" + i);
        }
    }

    private void shape(Node node, String where) {
        if (!isLeaf(node) && !isInner(node)) {
            found(where, NODE_NEITHER_INNER_NOR_LEAF, node.node());
        } else if (isInner(node) && !linesFrom.containsKey(node.node())) {
            found(where, NODE_WITHOUT_LINES, node.node());
        }
        String result = node.result();
        if (result != null && !resultsAllowed.test(result)) {
            found(where + "/result", RESULT_NOT_ALLOWED, result);
        }
    }

    private void lines() {
        for (int i = 0; i < definition.lines().size(); i++) {
            Line line = definition.lines().get(i);
            String where = "/lines/" + i;
            Node from = nodes.get(line.from());
            if (from == null) {
                found(where + "/from", NODE_UNKNOWN, line.from());
            } else {
                comparison(line, from, where);
            }
            if (!nodes.containsKey(line.to())) {
                found(where + "/to", NODE_UNKNOWN, line.to());
            }
            values(line, where);
        }
    }

    private void comparison(Line line, Node from, String where) {
        if (isLeaf(from)) {
            found(where + "/from", LEAF_WITH_LINES, from.node());
        } else if (from.kind() == NodeValueType.NUMBER) {
            numbers(line, where);
        } else if (from.kind() == NodeValueType.TEXT && isOrder(line.is())) {
            found(where + "/is", TEXT_IN_ORDER, line.is().sign());
        }
    }

    private void numbers(Line line, String where) {
        for (int i = 0; i < line.values().size(); i++) {
            String value = line.values().get(i);
            if (TreeNumbers.read(value) == null) {
                found(where + "/values/" + i, VALUE_NO_NUMBER, value);
            }
        }
    }

    private void values(Line line, String where) {
        int values = line.values().size();
        if (line.is() == Comparison.ONE_OF ? values == 0 : values != 1) {
            found(where + "/values", VALUES_DO_NOT_FIT, line.is().sign());
        }
    }

    private void circles() {
        CircleSearch search = new CircleSearch();
        search.from(definition.root());
        definition.nodes().forEach(node -> search.from(node.node()));
    }

    private void reach() {
        if (!nodes.containsKey(definition.root())) {
            return; // Without a root nothing can be reached: that flaw is enough.
        }
        Set<String> reached = new HashSet<>();
        reach(definition.root(), reached);
        for (int i = 0; i < definition.nodes().size(); i++) {
            String name = definition.nodes().get(i).node();
            if (!reached.contains(name)) {
                found("/nodes/" + i, NODE_UNREACHABLE, name);
            }
        }
    }

    private void reach(String name, Set<String> reached) {
        if (reached.add(name)) {
            linesFrom(name).forEach(line -> reach(definition.lines().get(line).to(), reached));
        }
    }

    /**
     * Finds circles. It follows every line once, and a line that leads back to a node of the current path closes a
     * circle.
     */
    private final class CircleSearch {

        private final Set<String> done = new HashSet<>();
        private final List<String> path = new ArrayList<>();

        void from(String name) {
            if (!done.add(name)) {
                return;
            }
            path.add(name);
            for (int line : linesFrom(name)) {
                String to = definition.lines().get(line).to();
                int back = path.indexOf(to);
                if (back >= 0) {
                    found("/lines/" + line, LINES_IN_A_CIRCLE, circle(path.subList(back, path.size())));
                } else {
                    from(to);
                }
            }
            path.removeLast();
        }

        private String circle(List<String> names) {
            return String.join(" -> ", names) + " -> " + names.getFirst();
        }
    }

    private List<Integer> linesFrom(String name) {
        return linesFrom.getOrDefault(name, List.of());
    }

    private void found(String where, FlawKind flaw, String subject) {
        findings.add(new SubmissionFlaw(pointer + where, flaw, subject));
    }

    private static boolean isInner(Node node) {
        return node.matter() != null && node.kind() != null && node.result() == null;
    }

    private static boolean isLeaf(Node node) {
        return node.result() != null && node.matter() == null && node.kind() == null;
    }

    private static boolean isOrder(Comparison comparison) {
        return switch (comparison) {
            case EQUAL, ONE_OF -> false;
            case GREATER, LESS, AT_LEAST, AT_MOST -> true;
        };
    }
}
