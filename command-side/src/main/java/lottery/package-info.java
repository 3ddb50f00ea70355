/** The side that decides: how commands get to their aggregates and back. */
@NullMarked
package lottery;

import org.jspecify.annotations.NullMarked;
