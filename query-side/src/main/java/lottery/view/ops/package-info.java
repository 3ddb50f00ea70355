/** Operators see here how far the read models are, and have one built anew. */
@NullMarked
package lottery.view.ops;

import org.jspecify.annotations.NullMarked;
