/** Decision trees are checked and evaluated here, without knowledge of awards and activities. */
@NullMarked
package lottery.tree;

import org.jspecify.annotations.NullMarked;
