/** Read models in Redis: values that answer first, follow the log, and come back from PostgreSQL by themselves. */
@NullMarked
package lottery.view.redis;

import org.jspecify.annotations.NullMarked;
