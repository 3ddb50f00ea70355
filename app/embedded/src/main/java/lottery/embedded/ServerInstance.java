package lottery.embedded;

/**
 * One of the servers that run with one data folder. Only PostgreSQL can have more than one.
 *
 * @param index 0 for the first server of its kind
 */
record ServerInstance(EmbeddedServerKind kind, int index) {

    static ServerInstance first(EmbeddedServerKind kind) {
        return new ServerInstance(kind, 0);
    }

    /** Returns the name for the user. The first server has the name of its kind. */
    String title() {
        return index == 0 ? kind.title() : kind.title() + " " + (index + 1);
    }

    /** Returns the name of the server's folder and log. */
    String word() {
        return index == 0 ? kind.word() : kind.word() + "-" + (index + 1);
    }
}
