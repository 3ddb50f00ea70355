package lottery.view.stock;

/**
 * A unit that is taken.
 *
 * @param number the number of the award or the SKU
 * @param unit the number of the unit
 */
record TakenStockUnitRow(long activityId, StockUsage.LimitedKind kind, long number, int unit) {}
