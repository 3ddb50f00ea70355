/** Decision trees of an operator, which find the activity that suits a user. */
@NullMarked
package lottery.api.choice;

import org.jspecify.annotations.NullMarked;
