package lottery.rule;

import java.util.function.Supplier;

/** Takes note of why a draw comes to what it comes to. Most draws are not asked, and do not put it into words. */
@FunctionalInterface
interface DrawReasonCollector {

    DrawReasonCollector NONE = reason -> {};

    void note(Supplier<DrawReason> reason);
}
