/** Other systems report behaviours of users with these messages. */
@NullMarked
package lottery.messaging.behaviour;

import org.jspecify.annotations.NullMarked;
