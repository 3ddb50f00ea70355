/** Persons: two of the desk erase what can be read about one. */
@NullMarked
package lottery.person;

import org.jspecify.annotations.NullMarked;
