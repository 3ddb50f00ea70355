@NullMarked
package lottery.store.clock;

import org.jspecify.annotations.NullMarked;
