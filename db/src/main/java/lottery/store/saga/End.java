package lottery.store.saga;

/** A row that is to go. */
record End(Place place, int versionRead) implements Change {}
