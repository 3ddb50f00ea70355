package lottery.app;

/** Slows down the writing of sagas, so that they cannot follow all that is wanted. */
final class SlowJourneys implements AutoCloseable {

    private SlowJourneys() {}

    static SlowJourneys begin(double seconds) {
        Stored.execute("""
                CREATE FUNCTION wait_for_each() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN PERFORM pg_sleep(%s); RETURN NEW; END'""".formatted(seconds));
        Stored.execute("CREATE TRIGGER slow BEFORE INSERT ON saga FOR EACH ROW EXECUTE FUNCTION wait_for_each()");
        return new SlowJourneys();
    }

    @Override
    public void close() {
        Stored.execute("DROP FUNCTION wait_for_each CASCADE");
    }
}
