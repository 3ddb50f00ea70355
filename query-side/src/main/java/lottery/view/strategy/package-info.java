/** What was promised by strategies, for whoever reads what came of it. */
@NullMarked
package lottery.view.strategy;

import org.jspecify.annotations.NullMarked;
