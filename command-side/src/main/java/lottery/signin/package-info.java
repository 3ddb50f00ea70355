/** Sign-ins of users: once a day, with streaks that continue over the ends of months. */
@NullMarked
package lottery.signin;

import org.jspecify.annotations.NullMarked;
