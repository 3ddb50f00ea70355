/** Authenticates callers, and decides by their roles which operations they may ask for. */
@NullMarked
package lottery.app.security;

import org.jspecify.annotations.NullMarked;
