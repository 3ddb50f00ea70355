/** Sends commands to their aggregates, and waits for the answers. */
@NullMarked
package lottery.store.command;

import org.jspecify.annotations.NullMarked;
