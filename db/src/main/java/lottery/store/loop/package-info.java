/** Tasks that run again and again. */
@NullMarked
package lottery.store.loop;

import org.jspecify.annotations.NullMarked;
