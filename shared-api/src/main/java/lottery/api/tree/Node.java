package lottery.api.tree;

import org.jspecify.annotations.Nullable;

/**
 * A node of a tree. An inner node looks at a matter, which is a fact such as the user's age; a leaf only has a result.
 *
 * @param node the name of the node
 */
public record Node(
        String node,
        @Nullable String matter,
        @Nullable NodeValueType kind,
        @Nullable String result) {

    public static Node inner(String node, String matter, NodeValueType kind) {
        return new Node(node, matter, kind, null);
    }

    public static Node leaf(String node, String result) {
        return new Node(node, null, null, result);
    }
}
