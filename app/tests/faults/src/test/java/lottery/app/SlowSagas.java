package lottery.app;

/** Slows down the writing of sagas, so that they cannot follow all that is wanted. */
final class SlowSagas implements AutoCloseable {

    private SlowSagas() {}

    static SlowSagas begin(double seconds) {
        StoredFacts.execute("""
                CREATE FUNCTION wait_for_each() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN PERFORM pg_sleep(%s); RETURN NEW; END'""".formatted(seconds));
        StoredFacts.execute("CREATE TRIGGER slow BEFORE INSERT ON saga FOR EACH ROW EXECUTE FUNCTION wait_for_each()");
        return new SlowSagas();
    }

    @Override
    public void close() {
        StoredFacts.execute("DROP FUNCTION wait_for_each CASCADE");
    }
}
