package lottery.activity;

/** Says whether the strategy of an activity has an award. */
@FunctionalInterface
interface AwardExistenceLookup {

    boolean has(ActivityProgress activity, int awardId);
}
