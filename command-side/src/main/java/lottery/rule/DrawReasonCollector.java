package lottery.rule;

import java.util.function.Supplier;

/**
 * Collects the reasons of a draw. Most draws are decided without a collector, and then their reasons are not even
 * built.
 */
@FunctionalInterface
interface DrawReasonCollector {

    DrawReasonCollector NONE = reason -> {};

    void note(Supplier<DrawReason> reason);
}
