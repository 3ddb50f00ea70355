/** Persons: what is stored about them, and how it is erased. */
@NullMarked
package lottery.api.person;

import org.jspecify.annotations.NullMarked;
