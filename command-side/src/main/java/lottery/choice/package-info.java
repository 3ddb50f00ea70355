/** A decision tree of the operator chooses the activity that suits a user. */
@NullMarked
package lottery.choice;

import org.jspecify.annotations.NullMarked;
