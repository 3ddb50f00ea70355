/** This read model lists the activities with their zones and states. */
@NullMarked
package lottery.view.activity;

import org.jspecify.annotations.NullMarked;
