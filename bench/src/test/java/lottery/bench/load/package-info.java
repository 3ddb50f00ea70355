@NullMarked
package lottery.bench.load;

import org.jspecify.annotations.NullMarked;
