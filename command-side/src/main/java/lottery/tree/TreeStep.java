package lottery.tree;

/**
 * A line that a decision followed.
 *
 * @param node the node that the line leaves
 * @param value the value of the property that the node looks at
 * @param to the node that the line leads to
 */
public record TreeStep(String node, String matter, String value, String to) {}
