/** The messages with which other systems report behaviours of users. */
@NullMarked
package lottery.messaging.behaviour;

import org.jspecify.annotations.NullMarked;
