/** A credit account books each business number once, and never spends more than it has. */
@NullMarked
package lottery.credit;

import org.jspecify.annotations.NullMarked;
