/** Authenticates callers, and decides by their roles which operations they may call. */
@NullMarked
package lottery.app.security;

import org.jspecify.annotations.NullMarked;
