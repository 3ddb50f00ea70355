/** Sign-ins: a user signs in once a day, and streaks of days earn more. */
@NullMarked
package lottery.api.signin;

import org.jspecify.annotations.NullMarked;
