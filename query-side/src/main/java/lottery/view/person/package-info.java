/** This package shows what is stored about one person, and reads it anew for each answer. */
@NullMarked
package lottery.view.person;

import org.jspecify.annotations.NullMarked;
