package lottery.api.credit;

/**
 * What a business number stands for.
 *
 * @param isNew whether it was booked just now; not so where it had been booked before
 */
public record Booked(CreditEntry entry, boolean isNew) {}
