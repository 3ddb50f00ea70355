/** Read models in Redis answer first, follow the log, and are filled again from PostgreSQL. */
@NullMarked
package lottery.view.redis;

import org.jspecify.annotations.NullMarked;
