/** Erasure of persons: two people of the desk erase what can be read about a person. */
@NullMarked
package lottery.person;

import org.jspecify.annotations.NullMarked;
