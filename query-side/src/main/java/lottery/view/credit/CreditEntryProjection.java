package lottery.view.credit;

import java.math.BigDecimal;
import java.time.Instant;
import lottery.api.credit.CreditEvent;
import lottery.api.credit.CreditEvent.CreditsBooked;
import lottery.store.projection.Projection;
import lottery.view.credit.CreditEntryProjection.CreditEntryColumns;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Component;

/**
 * Projects each booking to a row. The row contains the balance after the booking, so that the newest row has the
 * current balance.
 */
@Component
@ProcessingGroup("credits")
class CreditEntryProjection extends Projection<CreditEntryKey, CreditEntryColumns> {

    static final String TABLE = "view_credit_entry";

    /** The columns of a booking's row besides its key. */
    record CreditEntryColumns(
            BigDecimal amount,
            BigDecimal balance,
            String businessNo,
            @Nullable String reason,
            Instant bookedAt) {}

    CreditEntryProjection(JdbcOperations database) {
        super(database, TABLE, CreditEntryKey.class, CreditEntryColumns.class);
    }

    @EventHandler
    void on(CreditEvent event) {
        switch (event) {
            case CreditsBooked booked -> change(keyOf(booked), _ -> lineOf(booked));
        }
    }

    private static CreditEntryKey keyOf(CreditsBooked booked) {
        return new CreditEntryKey(booked.userId().value(), booked.entry());
    }

    private static CreditEntryColumns lineOf(CreditsBooked booked) {
        return new CreditEntryColumns(
                booked.amount(), booked.balance(), booked.businessNo(), booked.reason(), booked.bookedAt());
    }
}
