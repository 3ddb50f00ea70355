/** Knows callers by accounts of the lottery's own, where a company has no issuer of tokens for them. */
@NullMarked
package lottery.app.identity;

import org.jspecify.annotations.NullMarked;
