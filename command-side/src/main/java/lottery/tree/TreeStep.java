package lottery.tree;

/**
 * A line that a decision followed.
 *
 * @param node the node that it leaves
 * @param value the value of the matter
 * @param to the node that it leads to
 */
public record TreeStep(String node, String matter, String value, String to) {}
