/** This read model has the days on which users have signed in, as a bitmap for each month. */
@NullMarked
package lottery.view.signin;

import org.jspecify.annotations.NullMarked;
