-- Accounts, activities and award lists follow the log in Redis with one processor. It goes on where the one for the draws of
-- a day was: what it finds in Redis begins with rows of PostgreSQL, so nothing has to be read again.

UPDATE token SET processor = 'redis' WHERE processor = 'draws-today';
DELETE FROM parked_event WHERE processor = 'draws-today';
