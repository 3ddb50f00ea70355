package lottery.api.raffle;

import lottery.api.strategy.AwardType;

/** An award as the one who drew it sees it. */
public record Prize(int awardId, String title, AwardType type, int sort) {}
