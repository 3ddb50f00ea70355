package lottery.rule;

import lottery.api.strategy.AwardDefinition;

/** What a pool gave. */
sealed interface Pick {

    record An(AwardDefinition award) implements Pick {}

    enum None implements Pick {
        /** The lot picked none of the awards. */
        NOTHING,
        /** The lot picked one of the awards, but all of them are left out. */
        LEFT
    }
}
