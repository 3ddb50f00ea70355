/** Stores how far each processor has followed the log, and which process moves its token. */
@NullMarked
package lottery.store.token;

import org.jspecify.annotations.NullMarked;
