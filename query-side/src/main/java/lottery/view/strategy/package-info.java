/** Read models get the versions of strategies from here. */
@NullMarked
package lottery.view.strategy;

import org.jspecify.annotations.NullMarked;
