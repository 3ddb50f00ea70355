package lottery.view.stock;

/**
 * A unit that is taken.
 *
 * @param number the number of the award or the SKU
 */
record TakenUnit(long activityId, LimitedStock.Kind kind, long number, int unitNumber) {}
