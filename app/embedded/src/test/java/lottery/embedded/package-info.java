@NullMarked
package lottery.embedded;

import org.jspecify.annotations.NullMarked;
