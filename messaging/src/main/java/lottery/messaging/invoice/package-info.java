/** Invoices, which ask fulfilment to hand an award over, and their answers, which are reported to the award records. */
@NullMarked
package lottery.messaging.invoice;

import org.jspecify.annotations.NullMarked;
