/**
 * Axon on PostgreSQL: events, tokens and sagas, with the settings that many small commands need; it knows no raffle.
 */
@NullMarked
package lottery.store;

import org.jspecify.annotations.NullMarked;
