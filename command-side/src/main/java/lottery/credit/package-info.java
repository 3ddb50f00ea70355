/**
 * A credit account books each business number once, and never spends more than it has. A large booking needs two
 * persons.
 */
@NullMarked
package lottery.credit;

import org.jspecify.annotations.NullMarked;
