package lottery.api.tree;

import java.util.List;

/**
 * A decision tree as data.
 *
 * @param root the name of the first node
 * @param lines the lines of all nodes; the lines of a node are tried from the first to the last, and the first line
 *     that fits is followed
 */
public record TreeDefinition(String root, List<Node> nodes, List<Line> lines) {

    public static final int NODES_MAX = 200;
    public static final int LINES_MAX = 1_000;
    public static final int VALUES_MAX = 100;

    /** The maximum length of a name, a matter or a result. */
    public static final int TEXT_LENGTH_MAX = 64;

    public static final int VALUE_LENGTH_MAX = 100;

    public TreeDefinition {
        nodes = List.copyOf(nodes);
        lines = List.copyOf(lines);
    }
}
