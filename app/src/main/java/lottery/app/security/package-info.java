/** Who calls, in which role, and what the role may do. */
@NullMarked
package lottery.app.security;

import org.jspecify.annotations.NullMarked;
