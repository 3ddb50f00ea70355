package lottery.view.reconciliation;

import lottery.api.Money;

/**
 * Money that a provider says it has taken or given back on a day.
 *
 * @param paymentNo the number of the payment at the provider; empty if the statement does not tell it
 */
record StatementLine(String tradeNo, StatementKind kind, Money money, String paymentNo) {

    record StatementLineKey(String tradeNo, StatementKind kind) {}

    StatementLineKey key() {
        return new StatementLineKey(tradeNo, kind);
    }

    /** Returns whether another part of the same money can be added. */
    boolean fits(StatementLine part) {
        return money.currency().equals(part.money.currency())
                && Money.isPossible(money.amount().add(part.money.amount()), money.currency());
    }

    StatementLine plus(StatementLine part) {
        return new StatementLine(
                tradeNo, kind, new Money(money.amount().add(part.money.amount()), money.currency()), paymentNo);
    }
}
