@NullMarked
package lottery.store.connection;

import org.jspecify.annotations.NullMarked;
