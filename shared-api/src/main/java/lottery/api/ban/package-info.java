/** Bans: a banned user spends nothing until the ban ends. */
@NullMarked
package lottery.api.ban;

import org.jspecify.annotations.NullMarked;
