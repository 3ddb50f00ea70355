/** What the sides of the lottery say to each other: messages, the ids in them, and the refusals. */
@NullMarked
package lottery.api;

import org.jspecify.annotations.NullMarked;
