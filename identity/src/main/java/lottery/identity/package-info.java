/** Accounts, logins and sessions of the lottery's own, for companies without an issuer of tokens. */
@NullMarked
package lottery.identity;

import org.jspecify.annotations.NullMarked;
