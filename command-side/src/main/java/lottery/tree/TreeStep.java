package lottery.tree;

/**
 * A line that a decision followed.
 *
 * @param node where it comes from
 * @param value what the matter was
 * @param to where it leads
 */
public record TreeStep(String node, String matter, String value, String to) {}
