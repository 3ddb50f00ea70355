/** The query side projects events to read models, and answers queries from them. */
@NullMarked
package lottery.view;

import org.jspecify.annotations.NullMarked;
