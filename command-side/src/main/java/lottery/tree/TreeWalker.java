package lottery.tree;

import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import lottery.api.tree.Comparison;
import lottery.api.tree.Line;
import lottery.api.tree.Node;
import lottery.api.tree.NodeValueType;
import lottery.api.tree.TreeDefinition;
import org.jspecify.annotations.Nullable;

/** A decision tree, ready to decide. A decision is a pure function: the same inputs give the same result. */
public final class TreeWalker {

    private final String root;
    private final Map<String, CompiledNode> nodes;

    private TreeWalker(String root, Map<String, CompiledNode> nodes) {
        this.root = root;
        this.nodes = nodes;
    }

    /**
     * Builds the tree of a definition, which must have no flaws. For example, if it had a circle, a decision would
     * never end.
     */
    public static TreeWalker of(TreeDefinition definition) {
        if (!TreeDefinitionValidator.findings(definition, "", _ -> true).isEmpty()) {
            throw new IllegalArgumentException("a tree with flaws decides nothing");
        }
        Map<String, List<Line>> lines = definition.lines().stream().collect(Collectors.groupingBy(Line::from));
        return new TreeWalker(
                definition.root(),
                definition.nodes().stream()
                        .collect(Collectors.toUnmodifiableMap(
                                Node::node,
                                node -> CompiledNode.of(node, lines.getOrDefault(node.node(), List.of())))));
    }

    /**
     * Follows the lines of the tree from its root until a leaf is reached.
     *
     * @param matters returns the value of a matter, which is the property that a node looks at. No line fits if the
     *     value is null, or if the value is a text where a number is expected
     * @param trace receives each line that is followed
     * @return the result of the leaf; empty if no line of a node fits
     */
    public Optional<String> decide(Function<String, @Nullable String> matters, Consumer<TreeStep> trace) {
        String name = root;
        while (true) {
            switch (nodeOf(name)) {
                case Leaf(String result) -> {
                    return Optional.of(result);
                }
                case Fork fork -> {
                    String value = matters.apply(fork.matter());
                    String to = value == null ? null : fork.targetFor(value);
                    if (value == null || to == null) {
                        return Optional.empty();
                    }
                    trace.accept(new TreeStep(name, fork.matter(), value, to));
                    name = to;
                }
            }
        }
    }

    /**
     * Returns all results to which the tree can lead, if only some matters are known.
     *
     * @param known returns the value of a matter, a property that nodes look at; null if the value is not known
     */
    public Set<String> results(Function<String, @Nullable String> known) {
        Set<String> results = new HashSet<>();
        Set<String> seen = new HashSet<>();
        Deque<String> toSee = new ArrayDeque<>(List.of(root));
        while (!toSee.isEmpty()) {
            String name = toSee.remove();
            if (seen.add(name)) {
                switch (nodeOf(name)) {
                    case Leaf(String result) -> results.add(result);
                    case Fork fork -> toSee.addAll(targetsFrom(fork, known.apply(fork.matter())));
                }
            }
        }
        return results;
    }

    private static List<String> targetsFrom(Fork fork, @Nullable String value) {
        return value == null
                ? fork.allTargets()
                : Optional.ofNullable(fork.targetFor(value)).stream().toList();
    }

    private CompiledNode nodeOf(String name) {
        return Objects.requireNonNull(nodes.get(name), name);
    }

    private sealed interface CompiledNode {

        static CompiledNode of(Node node, List<Line> lines) {
            if (node.result() != null) {
                return new Leaf(node.result());
            }
            String matter = Objects.requireNonNull(node.matter());
            return Objects.requireNonNull(node.kind()) == NodeValueType.NUMBER
                    ? new NumberFork(
                            matter, lines.stream().map(TreeWalker::byNumber).toList())
                    : new TextFork(
                            matter, lines.stream().map(TreeWalker::byText).toList());
        }
    }

    private record Leaf(String result) implements CompiledNode {}

    private sealed interface Fork extends CompiledNode {

        String matter();

        /** Returns the target of the first line that fits; null if no line fits. */
        @Nullable
        String targetFor(String value);

        List<String> allTargets();
    }

    private record NumberFork(String matter, List<Branch<BigDecimal>> branches) implements Fork {

        @Override
        public @Nullable String targetFor(String value) {
            BigDecimal number = TreeNumbers.read(value);
            return number == null ? null : Branch.first(branches, number);
        }

        @Override
        public List<String> allTargets() {
            return branches.stream().map(Branch::to).toList();
        }
    }

    private record TextFork(String matter, List<Branch<String>> branches) implements Fork {

        @Override
        public @Nullable String targetFor(String value) {
            return Branch.first(branches, value);
        }

        @Override
        public List<String> allTargets() {
            return branches.stream().map(Branch::to).toList();
        }
    }

    private record Branch<T>(Predicate<T> fits, String to) {

        static <T> @Nullable String first(List<Branch<T>> branches, T value) {
            for (Branch<T> branch : branches) {
                if (branch.fits().test(value)) {
                    return branch.to();
                }
            }
            return null;
        }
    }

    private static Branch<String> byText(Line line) {
        return new Branch<>(Set.copyOf(line.values())::contains, line.to());
    }

    private static Branch<BigDecimal> byNumber(Line line) {
        BigDecimal[] numbers =
                line.values().stream().map(BigDecimal::new).sorted().toArray(BigDecimal[]::new);
        return new Branch<>(comparing(line.is(), numbers), line.to());
    }

    /** Compares numbers by value: 1.0 equals 1. */
    private static Predicate<BigDecimal> comparing(Comparison is, BigDecimal[] numbers) {
        BigDecimal first = numbers[0];
        return switch (is) {
            case EQUAL -> number -> number.compareTo(first) == 0;
            case GREATER -> number -> number.compareTo(first) > 0;
            case LESS -> number -> number.compareTo(first) < 0;
            case AT_LEAST -> number -> number.compareTo(first) >= 0;
            case AT_MOST -> number -> number.compareTo(first) <= 0;
            case ONE_OF -> number -> Arrays.binarySearch(numbers, number) >= 0;
        };
    }
}
