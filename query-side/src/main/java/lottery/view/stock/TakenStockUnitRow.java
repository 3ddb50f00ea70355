package lottery.view.stock;

/**
 * A unit that is taken.
 *
 * @param number the number of the award or the SKU
 * @param slot the number of the unit; the component is named after its column
 */
record TakenStockUnitRow(long activityId, StockUsage.LimitedKind kind, long number, int slot) {}
