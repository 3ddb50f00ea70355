package lottery.tree;

/**
 * A line that a decision followed.
 *
 * @param node the node that it leaves
 * @param value the value that the matter had
 * @param to the node that it leads to
 */
public record TreeStep(String node, String matter, String value, String to) {}
