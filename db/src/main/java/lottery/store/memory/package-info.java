/** Limits for Redis, a memory that may be away or wrong at any time, and never makes anybody wait for long. */
@NullMarked
package lottery.store.memory;

import org.jspecify.annotations.NullMarked;
