/** Gives read models the versions of strategies. */
@NullMarked
package lottery.view.strategy;

import org.jspecify.annotations.NullMarked;
