/** What an operator sees and does about whatever does not go on by itself. */
@NullMarked
package lottery.journey.desk;

import org.jspecify.annotations.NullMarked;
