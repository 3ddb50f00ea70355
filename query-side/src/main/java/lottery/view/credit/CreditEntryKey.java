package lottery.view.credit;

/** @param entry the number of the booking, counted per user from 1 */
record CreditEntryKey(String userId, long entry) {}
