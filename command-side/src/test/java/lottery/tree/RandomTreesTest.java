package lottery.tree;

import static lottery.api.SubmissionFlaw.FlawKind.LINES_IN_A_CIRCLE;
import static lottery.api.SubmissionFlaw.FlawKind.NODE_UNREACHABLE;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import lottery.api.SubmissionFlaw;
import lottery.api.tree.Comparison;
import lottery.api.tree.Line;
import lottery.api.tree.Node;
import lottery.api.tree.NodeValueType;
import lottery.api.tree.TreeDefinition;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;

@DisplayName("Random trees")
class RandomTreesTest {

    private static final int TREES = 300;
    private static final int USERS = 20;

    /** Differs with each run; a failure shows it, so that the run can be repeated. */
    private final long seed = Long.getLong("trees.seed", System.nanoTime());

    private final Random random = new Random(seed);

    @RepeatedTest(3)
    @DisplayName("A sound tree passes the check, and decides as its lines say one by one.")
    void decides() {
        for (int i = 0; i < TREES; i++) {
            TreeDefinition sound = sound();
            assertThat(TreeDefinitionValidator.findings(sound, "", _ -> true))
                    .as(said(sound))
                    .isEmpty();
            TreeWalker tree = TreeWalker.of(sound);
            for (int user = 0; user < USERS; user++) {
                Map<String, String> matters = matters();
                List<TreeStep> path = new ArrayList<>();
                List<TreeStep> expected = new ArrayList<>();
                assertThat(tree.decide(matters::get, path::add))
                        .as("%s %s", matters, said(sound))
                        .isEqualTo(slowly(sound, matters, expected));
                assertThat(path).as(said(sound)).isEqualTo(expected);
            }
        }
    }

    @RepeatedTest(3)
    @DisplayName("The check finds each tree with a circle, and each node that is out of reach.")
    void finds() {
        for (int i = 0; i < TREES; i++) {
            TreeDefinition tree = any();
            List<SubmissionFlaw> findings = TreeDefinitionValidator.findings(tree, "", _ -> true);
            boolean[][] ways = closure(tree);
            int nodes = tree.nodes().size();
            boolean circle = IntStream.range(0, nodes).anyMatch(node -> ways[node][node]);
            assertThat(findings.stream().anyMatch(finding -> finding.flaw() == LINES_IN_A_CIRCLE))
                    .as(said(tree))
                    .isEqualTo(circle);
            assertThat(findings.stream().filter(finding -> finding.flaw() == NODE_UNREACHABLE))
                    .as(said(tree))
                    .extracting(SubmissionFlaw::subject)
                    .containsExactlyElementsOf(IntStream.range(1, nodes)
                            .filter(node -> !ways[0][node])
                            .mapToObj(RandomTreesTest::name)
                            .toList());
        }
    }

    @RepeatedTest(3)
    @DisplayName("Each circle that the check names can be walked, and without their last lines no circle is left.")
    void circles() {
        for (int i = 0; i < TREES; i++) {
            TreeDefinition tree = any();
            List<SubmissionFlaw> circles = TreeDefinitionValidator.findings(tree, "", _ -> true).stream()
                    .filter(finding -> finding.flaw() == LINES_IN_A_CIRCLE)
                    .toList();
            Set<String> steps = tree.lines().stream()
                    .map(line -> line.from() + " -> " + line.to())
                    .collect(Collectors.toSet());
            Set<Integer> closing = new TreeSet<>();
            for (SubmissionFlaw circle : circles) {
                String[] names = circle.subject().split(" -> ", -1);
                for (int n = 1; n < names.length; n++) {
                    assertThat(steps).as(said(tree)).contains(names[n - 1] + " -> " + names[n]);
                }
                assertThat(names[0]).isEqualTo(names[names.length - 1]);
                closing.add(Integer.parseInt(circle.pointer().substring("/lines/".length())));
            }
            List<Line> others = IntStream.range(0, tree.lines().size())
                    .filter(line -> !closing.contains(line))
                    .mapToObj(tree.lines()::get)
                    .toList();
            boolean[][] ways = closure(new TreeDefinition(tree.root(), tree.nodes(), others));
            assertThat(IntStream.range(0, ways.length).noneMatch(node -> ways[node][node]))
                    .as(said(tree))
                    .isTrue();
        }
    }

    /** Builds a sound tree: lines lead to later nodes, each inner node has its own leaf, each node is reached. */
    private TreeDefinition sound() {
        int inner = 1 + random.nextInt(8);
        List<Node> nodes = new ArrayList<>();
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < inner; i++) {
            nodes.add(Node.inner(name(i), "m" + random.nextInt(3), kind()));
        }
        for (int i = 0; i < inner; i++) {
            nodes.add(Node.leaf(name(inner + i), "r" + random.nextInt(3)));
        }
        for (int to = 1; to < nodes.size(); to++) {
            int from = to < inner ? random.nextInt(to) : to - inner;
            lines.add(line(nodes.get(from), to));
        }
        for (int extra = random.nextInt(10); extra > 0; extra--) {
            int from = random.nextInt(inner);
            lines.add(line(nodes.get(from), from + 1 + random.nextInt(nodes.size() - from - 1)));
        }
        Collections.shuffle(lines, random);
        return new TreeDefinition(name(0), nodes, lines);
    }

    /** Builds inner nodes, with lines between any of them. */
    private TreeDefinition any() {
        int count = 1 + random.nextInt(7);
        List<Node> nodes = IntStream.range(0, count)
                .mapToObj(i -> Node.inner(name(i), "m0", kind()))
                .toList();
        List<Line> lines = IntStream.range(0, random.nextInt(2 * count))
                .mapToObj(_ -> line(nodes.get(random.nextInt(count)), random.nextInt(count)))
                .toList();
        return new TreeDefinition(name(0), nodes, lines);
    }

    private NodeValueType kind() {
        return random.nextBoolean() ? NodeValueType.NUMBER : NodeValueType.TEXT;
    }

    private Line line(Node from, int to) {
        Comparison[] all = Comparison.values();
        Comparison is = from.kind() == NodeValueType.NUMBER
                ? all[random.nextInt(all.length)]
                : random.nextBoolean() ? Comparison.EQUAL : Comparison.ONE_OF;
        int values = is == Comparison.ONE_OF ? 1 + random.nextInt(4) : 1;
        return new Line(
                from.node(),
                name(to),
                is,
                IntStream.range(0, values).mapToObj(_ -> number()).toList());
    }

    private String number() {
        String whole = Integer.toString(random.nextInt(9) - 4);
        return random.nextInt(3) == 0 ? whole + (random.nextBoolean() ? ".5" : ".0") : whole;
    }

    private Map<String, String> matters() {
        Map<String, String> matters = new HashMap<>();
        for (int i = 0; i < 3; i++) {
            switch (random.nextInt(8)) {
                case 0 -> matters.remove("m" + i);
                case 1 -> matters.put("m" + i, "no number");
                default -> matters.put("m" + i, number());
            }
        }
        return matters;
    }

    private static Optional<String> slowly(TreeDefinition tree, Map<String, String> matters, List<TreeStep> path) {
        Node at = node(tree, tree.root());
        while (at.result() == null) {
            String name = at.node();
            String matter = String.valueOf(at.matter());
            String value = matters.get(matter);
            NodeValueType kind = at.kind();
            Optional<Line> next = tree.lines().stream()
                    .filter(line -> line.from().equals(name)
                            && value != null
                            && fits(line, kind == NodeValueType.NUMBER, value))
                    .findFirst();
            if (next.isEmpty()) {
                return Optional.empty();
            }
            path.add(
                    new TreeStep(name, matter, String.valueOf(value), next.get().to()));
            at = node(tree, next.get().to());
        }
        return Optional.of(at.result());
    }

    private static boolean fits(Line line, boolean isNumber, String value) {
        if (!isNumber) {
            return line.values().contains(value);
        }
        if (value.equals("no number")) {
            return false;
        }
        double number = Double.parseDouble(value);
        return line.values().stream().mapToDouble(Double::parseDouble).anyMatch(other -> switch (line.is()) {
            case EQUAL, ONE_OF -> number == other;
            case GREATER -> number > other;
            case LESS -> number < other;
            case AT_LEAST -> number >= other;
            case AT_MOST -> number <= other;
        });
    }

    private static Node node(TreeDefinition tree, String name) {
        return tree.nodes().stream()
                .filter(node -> node.node().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Returns which node can be reached from which in one step or more. */
    private static boolean[][] closure(TreeDefinition tree) {
        int nodes = tree.nodes().size();
        boolean[][] ways = new boolean[nodes][nodes];
        tree.lines().forEach(line -> ways[index(line.from())][index(line.to())] = true);
        for (int via = 0; via < nodes; via++) {
            for (int from = 0; from < nodes; from++) {
                for (int to = 0; to < nodes; to++) {
                    ways[from][to] |= ways[from][via] && ways[via][to];
                }
            }
        }
        return ways;
    }

    private static String name(int index) {
        return "n" + index;
    }

    private static int index(String name) {
        return Integer.parseInt(name.substring(1));
    }

    private String said(TreeDefinition tree) {
        return "-Dtrees.seed=%d: %s".formatted(seed, tree);
    }
}
