package lottery.view.stock;

/** The holder of a unit: an award record or a recharge. */
record StockUnitHolder(String holder) {}
