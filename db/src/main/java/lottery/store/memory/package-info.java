/**
 * Limits for Redis, which is used as a cache. It may be unavailable or wrong at any time, and no caller waits for it
 * for long.
 */
@NullMarked
package lottery.store.memory;

import org.jspecify.annotations.NullMarked;
