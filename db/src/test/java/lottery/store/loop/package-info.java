@NullMarked
package lottery.store.loop;

import org.jspecify.annotations.NullMarked;
