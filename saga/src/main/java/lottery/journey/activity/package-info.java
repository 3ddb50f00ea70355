/** The journey of an activity: it starts and closes by itself, and publishes its seeds. */
@NullMarked
package lottery.journey.activity;

import org.jspecify.annotations.NullMarked;
