/** Commands that sagas send. */
@NullMarked
package lottery.journey.command;

import org.jspecify.annotations.NullMarked;
