package lottery.api.tree;

import java.util.List;

/**
 * A line from one node to another. It is followed if the matter of the node {@code from} fits.
 *
 * @param is how the matter of the node {@code from} compares with the values
 * @param values the values to compare with: several for {@link Comparison#ONE_OF}, otherwise one; numbers are written
 *     in decimals
 */
public record Line(String from, String to, Comparison is, List<String> values) {

    public Line {
        values = List.copyOf(values);
    }
}
