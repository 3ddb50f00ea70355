/** Persons: what is kept about them, and how they are forgotten. */
@NullMarked
package lottery.api.person;

import org.jspecify.annotations.NullMarked;
