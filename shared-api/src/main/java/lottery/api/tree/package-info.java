/** Decision trees as an operator defines them. */
@NullMarked
package lottery.api.tree;

import org.jspecify.annotations.NullMarked;
