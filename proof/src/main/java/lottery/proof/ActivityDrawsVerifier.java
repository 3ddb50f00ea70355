package lottery.proof;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.proof.DrawEvidenceReader.DrawRules;
import lottery.proof.DrawEvidenceReader.LogHeads;
import lottery.proof.PoolEvidenceReader.PublishedPool;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Decides all draws of an activity again, and compares them with the stored draws. It reads the whole log, so a process
 * runs one verification at a time, with a time limit.
 */
@Component
class ActivityDrawsVerifier {

    private static final Duration TIME_MAX = Duration.ofMinutes(5);
    private static final Duration PROGRESS_EVERY = Duration.ofSeconds(1);

    /**
     * The number of events between two looks at the clock, because to read the clock costs more than to read an event.
     */
    private static final int EVENTS_PER_LOOK = 256;

    private static final int DIFFERING_MAX = 100;

    /**
     * How far a verification is.
     *
     * @param events how many events were read
     * @param of how many events there are
     * @param draws how many draws of this activity were verified
     * @param agreed how many of these draws have no difference
     */
    record VerificationProgress(long events, long of, long draws, long agreed) {}

    /**
     * The result of a verification.
     *
     * @param complete whether there was time for all draws
     * @param unseeded how many draws have a ticket that cannot be checked before the seed of their round is published
     * @param differing the first draws in which the verification has found a difference
     * @param pool the result for the activity's pool, if it has one
     */
    record VerificationResult(
            ActivityId activityId,
            boolean complete,
            long draws,
            long agreed,
            long unseeded,
            List<DifferingDraw> differing,
            @Nullable PoolVerdict pool,
            long perSecond) {}

    @FunctionalInterface
    interface ProgressReceiver {
        void see(VerificationProgress progress) throws IOException;
    }

    private final DrawEvidenceReader evidence;
    private final PoolEvidenceReader pools;
    private final InstantSource clock;
    private final Semaphore one = new Semaphore(1);

    ActivityDrawsVerifier(DrawEvidenceReader evidence, PoolEvidenceReader pools, InstantSource clock) {
        this.evidence = evidence;
        this.pools = pools;
        this.clock = clock;
    }

    /**
     * Verifies the draws of an activity. It refuses if the activity does not exist, or if another verification runs.
     */
    VerificationResult verify(ActivityId activityId, ProgressReceiver watcher) throws IOException {
        if (!one.tryAcquire()) {
            throw new RefusedException(Refusal.BUSY, activityId.text());
        }
        try {
            // The heads of the logs are read before the versions of the strategies. So the versions of all draws up to
            // the heads are among them.
            LogHeads heads = evidence.heads();
            DrawRules rules = evidence.grounds(activityId)
                    .orElseThrow(() -> new RefusedException(Refusal.NOT_FOUND, activityId.text()));
            VerificationRun run = new VerificationRun(rules.verifier(), heads.events(), watcher);
            evidence.read(activityId, heads, run);
            return run.result(
                    activityId,
                    pools.find(activityId).map(pool -> verify(pool, rules)).orElse(null));
        } finally {
            one.release();
        }
    }

    private PoolVerdict verify(PublishedPool pool, DrawRules rules) {
        PoolVerifier verifier = new PoolVerifier(pool.frozen(), pool.ordered(), rules.verifier());
        pools.<RuntimeException>entries(pool, entry -> verifier.entry(entry.entryNo(), entry.orderId()));
        pools.<RuntimeException>wins(pool, verifier::win);
        return verifier.verdict(pool.drawn());
    }

    private final class VerificationRun implements DrawEvidenceReader.DrawReceiver<IOException> {

        private final DrawVerifier verifier;
        private final WinLimitVerifier limits;
        private final long events;
        private final ProgressReceiver watcher;
        private final VerificationCount count = new VerificationCount(DIFFERING_MAX);
        private final Instant begun = clock.instant();
        private Instant seen = begun;
        private int unlooked;
        private boolean complete = true;

        VerificationRun(DrawVerifier verifier, long events, ProgressReceiver watcher) {
            this.verifier = verifier;
            this.limits = new WinLimitVerifier(verifier);
            this.events = events;
            this.watcher = watcher;
        }

        @Override
        public boolean read(long number, Optional<RaffleDrawn> drawn) throws IOException {
            drawn.ifPresent(this::verify);
            unlooked++;
            if (unlooked >= EVENTS_PER_LOOK) {
                unlooked = 0;
                complete = look(number) || number == events;
            }
            return complete;
        }

        private void verify(RaffleDrawn drawn) {
            List<Difference> differences = verifier.differences(drawn);
            limits.difference(drawn).ifPresent(differences::add);
            count.add(drawn, verifier.hasSeed(drawn.round()), differences);
        }

        /** Returns whether there is time left. It also reports the progress from time to time. */
        private boolean look(long number) throws IOException {
            Instant now = clock.instant();
            if (now.isAfter(seen.plus(PROGRESS_EVERY))) {
                seen = now;
                watcher.see(new VerificationProgress(number, events, count.draws(), count.agreed()));
            }
            return now.isBefore(begun.plus(TIME_MAX));
        }

        VerificationResult result(ActivityId activityId, @Nullable PoolVerdict pool) {
            long micros = Math.max(1, Duration.between(begun, clock.instant()).toNanos() / 1_000);
            return new VerificationResult(
                    activityId,
                    complete,
                    count.draws(),
                    count.agreed(),
                    count.unseeded(),
                    count.differing(),
                    pool,
                    count.draws() * 1_000_000 / micros);
        }
    }
}
