@NullMarked
package lottery.bench.store;

import org.jspecify.annotations.NullMarked;
