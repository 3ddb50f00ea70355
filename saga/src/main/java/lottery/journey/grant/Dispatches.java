package lottery.journey.grant;

import java.util.concurrent.Executor;
import lottery.api.Answer;
import lottery.api.Command;
import lottery.api.award.AwardCommand.ConfirmDispatch;
import lottery.api.award.AwardRecordId;
import lottery.journey.errand.Couriers;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.spring.config.SpringAxonConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Notes on award records that their invoices are with the broker.
 *
 * <p>A note is sent when the batch with the win is committed, beside the processor, which must not wait for commands.
 * It may come twice, and a crash at this moment loses it. Nothing depends on it: it changes a record once only, and the
 * answer of fulfilment is accepted by a record that does not know of its dispatch.
 */
@Component
final class Dispatches extends Couriers {

    private static final Logger LOG = LoggerFactory.getLogger(Dispatches.class);

    /** More than a batch has: they share a few commits, as draws do. A processor that is ahead of them waits. */
    private static final int UNDER_WAY_MAX = 256;

    /** They send nothing any more then. */
    private static final int AFTER_THE_PROCESSORS = SpringAxonConfiguration.LIFECYCLE_PHASE - 1;

    Dispatches() {
        this(Thread::startVirtualThread);
    }

    Dispatches(Executor threads) {
        super(UNDER_WAY_MAX, AFTER_THE_PROCESSORS, threads);
    }

    void confirmAfterCommit(AwardRecordId awardRecordId, CommandGateway commands) {
        sendAfterCommit(new ConfirmDispatch(awardRecordId), commands);
    }

    @Override
    protected void answered(Command<?> command, Answer<?> answer) {
        switch (answer) {
            case Answer.Done<?> _ -> {}
            case Answer.No<?> no -> lost(command, no.refused());
        }
    }

    @Override
    protected void lost(Command<?> command, Object why) {
        LOG.warn("the dispatch of {} is not noted: {}", command.target().text(), String.valueOf(why));
    }
}
