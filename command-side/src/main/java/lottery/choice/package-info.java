/** Which activity suits a user, by a decision tree of the operator's. */
@NullMarked
package lottery.choice;

import org.jspecify.annotations.NullMarked;
