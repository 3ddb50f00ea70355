/** The saga of a won award leads it from the win to the grant. */
@NullMarked
package lottery.saga.grant;

import org.jspecify.annotations.NullMarked;
