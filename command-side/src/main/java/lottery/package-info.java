/** The command side sends commands to their aggregates and returns the answers. */
@NullMarked
package lottery;

import org.jspecify.annotations.NullMarked;
