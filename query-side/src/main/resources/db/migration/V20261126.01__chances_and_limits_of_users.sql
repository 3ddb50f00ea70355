-- Accounts say whether the free chances of their activity are among their chances. None are yet.
ALTER TABLE view_account ADD COLUMN opened boolean NOT NULL DEFAULT false;

-- The wins of awards that one user can win only so often. Nobody has won such an award yet.
ALTER TABLE view_account ADD COLUMN limited_wins text NOT NULL DEFAULT '';
ALTER TABLE view_award ADD COLUMN max_per_user integer;
