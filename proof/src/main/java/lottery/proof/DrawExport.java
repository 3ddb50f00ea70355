package lottery.proof;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.activity.ActivityId;
import lottery.api.activity.RoundCommitment;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.GrantTime;
import lottery.api.strategy.Remedy;
import lottery.api.strategy.StrategyDefinition;
import lottery.proof.DrawEvidenceReader.DrawRules;
import lottery.proof.DrawEvidenceReader.LogHeads;
import lottery.proof.DrawExportCodec.CommitmentLine;
import lottery.proof.DrawExportCodec.DrawLine;
import lottery.proof.DrawExportCodec.EndLine;
import lottery.proof.DrawExportCodec.EntryLine;
import lottery.proof.DrawExportCodec.ExportLine;
import lottery.proof.DrawExportCodec.HeadingLine;
import lottery.proof.DrawExportCodec.PoolLine;
import lottery.proof.DrawExportCodec.VersionLine;
import lottery.proof.DrawExportCodec.WinLine;
import lottery.proof.PoolEvidenceReader.PublishedPool;
import lottery.rule.CompiledStrategy;
import org.springframework.stereotype.Component;

/** Exports all draws of an activity with the facts that verify them, line by line. Only a few lines are in memory. */
@Component
class DrawExport {

    private static final int BUFFER_BYTES = 1 << 16;

    /** The most exports at the same time. Each export reads the whole log, so more exports would slow down draws. */
    private static final int AT_ONCE_MAX = 2;

    /**
     * The time limit of an export. Without it, a slow reader could hold a permit for ever, and other exports would be
     * refused.
     */
    private static final Duration TIME_MAX = Duration.ofMinutes(30);

    private final DrawEvidenceReader evidence;
    private final PoolEvidenceReader pools;
    private final InstantSource clock;
    private final Semaphore places = new Semaphore(AT_ONCE_MAX);

    DrawExport(DrawEvidenceReader evidence, PoolEvidenceReader pools, InstantSource clock) {
        this.evidence = evidence;
        this.pools = pools;
        this.clock = clock;
    }

    /** Reserves a permit for one export. The permit lasts until it is closed. */
    ExportPermit enter(ActivityId activityId) {
        if (!places.tryAcquire()) {
            throw new RefusedException(Refusal.BUSY, activityId.text());
        }
        return places::release;
    }

    /** The permit for one export. */
    @FunctionalInterface
    interface ExportPermit extends AutoCloseable {

        @Override
        void close();
    }

    /**
     * Prepares an export. Problems that are found here can still be answered with a refusal, because nothing is written
     * yet.
     */
    PreparedExport of(ActivityId activityId) {
        // The heads of the logs are read before the versions of the strategies. So the versions of all draws up to the
        // heads are among them.
        LogHeads heads = evidence.heads();
        DrawRules grounds = evidence.grounds(activityId)
                .orElseThrow(() -> new RefusedException(Refusal.NOT_FOUND, activityId.text()));
        return new PreparedExport(activityId, heads, grounds);
    }

    final class PreparedExport {

        private final ActivityId activityId;
        private final LogHeads heads;
        private final DrawRules grounds;
        private long draws;

        PreparedExport(ActivityId activityId, LogHeads heads, DrawRules grounds) {
            this.activityId = activityId;
            this.heads = heads;
            this.grounds = grounds;
        }

        void writeTo(OutputStream response) throws IOException {
            OutputStream out = new BufferedOutputStream(response, BUFFER_BYTES);
            write(new HeadingLine(activityId, DrawExportCodec.FORMAT), out);
            for (CompiledStrategy rules : grounds.versions()) {
                write(new VersionLine(rules.strategyId(), rules.version(), published(rules.definition())), out);
            }
            for (RoundCommitment roundCommitment : grounds.roundCommitments()) {
                write(new CommitmentLine(roundCommitment), out);
            }
            Optional<PublishedPool> pool = pools.find(activityId);
            if (pool.isPresent()) {
                write(pool.get(), out);
            }
            Instant until = clock.instant().plus(TIME_MAX);
            evidence.<IOException>read(activityId, heads, (_, drawn) -> {
                draw(drawn, out);
                if (clock.instant().isAfter(until)) {
                    throw new IOException("an export ends after " + TIME_MAX);
                }
                return true;
            });
            write(new EndLine(draws), out);
            out.flush();
        }

        private void write(PublishedPool pool, OutputStream out) throws IOException {
            write(new PoolLine(pool.frozen(), pool.ordered(), pool.drawn()), out);
            pools.<IOException>entries(pool, entry -> write(new EntryLine(entry.entryNo(), entry.orderId()), out));
            pools.<IOException>wins(pool, win -> write(new WinLine(win), out));
        }

        /**
         * Returns the definition without the costs, and without the configuration for fulfilment, which may be secret.
         * No draw depends on them.
         */
        private static StrategyDefinition published(StrategyDefinition definition) {
            return new StrategyDefinition(
                    definition.mode(),
                    definition.awards().stream().map(PreparedExport::published).toList(),
                    definition.ratesAddUpToOne(),
                    definition.fallback(),
                    definition.blacklist(),
                    definition.tierMode(),
                    definition.tiers(),
                    definition.tree());
        }

        private static AwardDefinition published(AwardDefinition award) {
            return award.but()
                    .config(Map.of())
                    .grant(GrantTime.AT_ONCE)
                    .onFailure(Remedy.MANUAL)
                    .cost(null)
                    .build();
        }

        private void draw(Optional<RaffleDrawn> drawn, OutputStream out) throws IOException {
            if (drawn.isPresent()) {
                write(new DrawLine(drawn.get()), out);
                draws++;
            }
        }

        private static void write(ExportLine line, OutputStream out) throws IOException {
            out.write(DrawExportCodec.bytes(line));
        }
    }
}
