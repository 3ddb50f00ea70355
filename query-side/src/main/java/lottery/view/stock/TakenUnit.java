package lottery.view.stock;

/**
 * A unit that is taken.
 *
 * @param number the number of the award or the SKU
 * @param slot the number of the unit, under the name of its column
 */
record TakenUnit(long activityId, LimitedStock.Kind kind, long number, int slot) {}
