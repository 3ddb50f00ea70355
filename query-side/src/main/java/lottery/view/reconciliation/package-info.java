/** The reconciliation of payments with the statements of their providers, and the export of trades. */
@NullMarked
package lottery.view.reconciliation;

import org.jspecify.annotations.NullMarked;
