package lottery.view.stock;

/** Who has a unit: an award record or a recharge. */
record UnitHolder(String holder) {}
