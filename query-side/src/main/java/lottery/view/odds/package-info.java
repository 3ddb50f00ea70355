/** This read model compares the outcomes of draws with the promised odds. */
@NullMarked
package lottery.view.odds;

import org.jspecify.annotations.NullMarked;
