package lottery.store.processing;

/** Marks handlers of events whose data can be built again from the log while the old data are used. */
public interface RebuiltFromLog {}
