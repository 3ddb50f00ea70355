package lottery.store.saga;

/** What is to happen to one row. It holds only for the version that was read. */
sealed interface Change permits Write, End {

    /** The version of a saga that is not in the table. */
    int NEW = 0;

    Place place();

    int versionRead();
}
