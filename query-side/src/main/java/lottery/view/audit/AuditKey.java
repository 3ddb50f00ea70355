package lottery.view.audit;

/**
 * Identifies a decision by its event.
 *
 * @param subject the id of the aggregate that was decided about
 * @param sequence the number of the event in its stream
 */
record AuditKey(String subject, long sequence) {}
