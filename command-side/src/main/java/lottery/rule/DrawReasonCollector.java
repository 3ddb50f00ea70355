package lottery.rule;

import java.util.function.Supplier;

/** Collects the reasons of a draw. Most draws collect none, and their reasons are not built. */
@FunctionalInterface
interface DrawReasonCollector {

    DrawReasonCollector NONE = reason -> {};

    void note(Supplier<DrawReason> reason);
}
