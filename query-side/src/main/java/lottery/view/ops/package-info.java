/** Shows operators how far the read models are, and lets them build a read model anew. */
@NullMarked
package lottery.view.ops;

import org.jspecify.annotations.NullMarked;
