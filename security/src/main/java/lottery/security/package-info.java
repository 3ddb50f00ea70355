/** Authenticates callers, and decides by their roles which operations they may call. */
@NullMarked
package lottery.security;

import org.jspecify.annotations.NullMarked;
