/**
 * Axon on PostgreSQL: events, tokens and sagas, with the settings that many small commands need. Nothing here is
 * specific to raffles.
 */
@NullMarked
package lottery.store;

import org.jspecify.annotations.NullMarked;
