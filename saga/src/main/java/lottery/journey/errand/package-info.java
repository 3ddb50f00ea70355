/** What journeys ask for when it is time. */
@NullMarked
package lottery.journey.errand;

import org.jspecify.annotations.NullMarked;
