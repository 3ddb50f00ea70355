package lottery.journey.errand;

import java.time.Duration;
import java.util.concurrent.Executor;
import lottery.api.Answer;
import lottery.api.Command;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * What journeys ask for when it is time. It is sent when the journey's new state is committed, beside the sweep, which
 * must not hold its rows while somebody decides. Whatever is lost here is asked for again: the journey stays due until
 * it hears that it has happened.
 */
@Component
public final class Errands extends Couriers {

    private static final Logger LOG = LoggerFactory.getLogger(Errands.class);

    /**
     * As many as the database can work on beside everything else. Thousands can be due in the same second, and the
     * sweep takes no more of them than are answered.
     */
    private static final int UNDER_WAY_MAX = 16;

    /** Each is of another kind, reads what it needs, and may take its time. */
    private static final int PER_CONVOY_MAX = 1;

    /** After the sweep, which sends nothing any more then. */
    private static final int AFTER_THE_SWEEP = DEFAULT_PHASE - 1;

    private static final Duration PAUSE_MIN = Duration.ofSeconds(2);
    private static final Duration PAUSE_MAX = Duration.ofMinutes(1);

    Errands() {
        this(Thread::startVirtualThread);
    }

    public Errands(Executor threads) {
        super(UNDER_WAY_MAX, PER_CONVOY_MAX, AFTER_THE_SWEEP, threads);
    }

    Errands(Executor threads, Duration waitMax) {
        super(UNDER_WAY_MAX, PER_CONVOY_MAX, AFTER_THE_SWEEP, threads, waitMax);
    }

    /**
     * How long to wait until the same is asked for again.
     *
     * @param attempts how often it had been asked for in vain before
     */
    public static Duration pauseAfter(int attempts) {
        Duration pause = PAUSE_MIN.multipliedBy(1L << Math.min(attempts, 10));
        return pause.compareTo(PAUSE_MAX) < 0 ? pause : PAUSE_MAX;
    }

    @Override
    protected void answered(Command<?> command, Answer<?> answer) {
        switch (answer) {
            case Answer.Done<?> _ -> LOG.debug("{} was asked for, and done", command);
            // Mostly somebody was faster, and the event that says so ends the wait.
            case Answer.No<?> no -> LOG.info("{} was asked for, and refused: {}", command, no.refused());
        }
    }

    @Override
    protected void lost(String which, Object why) {
        LOG.warn("{} was not done and is asked for again: {}", which, String.valueOf(why));
    }
}
