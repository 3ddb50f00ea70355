@NullMarked
package lottery.bench.store.variant;

import org.jspecify.annotations.NullMarked;
