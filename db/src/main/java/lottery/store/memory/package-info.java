/** Limits for Redis. Redis may be unavailable or wrong at any time, so no caller waits long for it. */
@NullMarked
package lottery.store.memory;

import org.jspecify.annotations.NullMarked;
