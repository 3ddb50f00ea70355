/** The journey of a won award, from the win to the grant. */
@NullMarked
package lottery.journey.grant;

import org.jspecify.annotations.NullMarked;
