@NullMarked
package lottery.bench;

import org.jspecify.annotations.NullMarked;
