/** Requests for draws that wait in a queue, from their acceptance to their draws. */
@NullMarked
package lottery.queue;

import org.jspecify.annotations.NullMarked;
