/** Which activity suits a user: trees that an operator defines. */
@NullMarked
package lottery.api.choice;

import org.jspecify.annotations.NullMarked;
