/** Bans of users: a banned user spends nothing. */
@NullMarked
package lottery.ban;

import org.jspecify.annotations.NullMarked;
