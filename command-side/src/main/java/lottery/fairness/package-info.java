/** Secret seeds that draws follow from: committed to before a round begins, published when it is over. */
@NullMarked
package lottery.fairness;

import org.jspecify.annotations.NullMarked;
