-- Finds the orders that the close of their activity cancels.
CREATE INDEX view_account_open ON view_account (activity_id, user_id) WHERE open_order_id IS NOT NULL;
