/** Decision trees as an operator describes them. */
@NullMarked
package lottery.api.tree;

import org.jspecify.annotations.NullMarked;
