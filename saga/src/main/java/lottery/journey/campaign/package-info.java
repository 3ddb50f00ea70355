/** The journey of a campaign: it starts and closes by itself, and publishes its seeds. */
@NullMarked
package lottery.journey.campaign;

import org.jspecify.annotations.NullMarked;
