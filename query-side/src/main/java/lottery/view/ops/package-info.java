/** What operators see of the read models, and how they have one built anew. */
@NullMarked
package lottery.view.ops;

import org.jspecify.annotations.NullMarked;
