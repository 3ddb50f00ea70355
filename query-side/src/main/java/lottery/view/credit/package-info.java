/** This read model contains the credits of users and their statements. */
@NullMarked
package lottery.view.credit;

import org.jspecify.annotations.NullMarked;
