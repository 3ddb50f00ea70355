package lottery.api.strategy;

/** How an award is handed over. */
public enum AwardType {
    TEXT
}
