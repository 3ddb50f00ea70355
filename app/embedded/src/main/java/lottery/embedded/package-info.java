/**
 * Starts real PostgreSQL, Redis and Kafka servers from the process that needs them. This package is never part of the
 * production artifact.
 */
@NullMarked
package lottery.embedded;

import org.jspecify.annotations.NullMarked;
