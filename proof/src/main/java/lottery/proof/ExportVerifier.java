package lottery.proof;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import lottery.api.SubmissionFlaw;
import lottery.api.activity.ActivityId;
import lottery.api.activity.RoundCommitment;
import lottery.api.pool.PoolEvent.PoolFrozen;
import lottery.api.pool.PoolWin;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.raffle.RaffleOrderId;
import lottery.proof.DrawExportCodec.CommitmentLine;
import lottery.proof.DrawExportCodec.DrawLine;
import lottery.proof.DrawExportCodec.EndLine;
import lottery.proof.DrawExportCodec.EntryLine;
import lottery.proof.DrawExportCodec.ExportLine;
import lottery.proof.DrawExportCodec.HeadingLine;
import lottery.proof.DrawExportCodec.PoolLine;
import lottery.proof.DrawExportCodec.VersionLine;
import lottery.proof.DrawExportCodec.WinLine;
import lottery.proof.ExportChunkVerifier.CheckedDraw;
import lottery.proof.ExportChunkVerifier.ChunkResult;
import lottery.rule.CompiledStrategy;
import lottery.rule.StrategyDefinitionValidator;
import org.jspecify.annotations.Nullable;

/** Verifies an export, which may come from anybody. It needs only the export, and no database. */
public final class ExportVerifier {

    private static final int CHUNK_BYTES = 1 << 20;

    /** The longest line that is read. Even the line with a strategy of the largest size is shorter. */
    private static final int LINE_BYTES_MAX = 8 << 20;

    /** The most entries of a pool that are verified. An export may state any number, and each entry takes memory. */
    private static final int ENTRIES_MAX = 20_000_000;

    private static final int CHUNKS_PER_THREAD_MAX = 3;
    private static final long CHUNK_WAIT_MAX_SECONDS = 60;

    private final InputStream in;
    private final int threads;
    private final VerificationCount count;
    private final int differingMax;

    private byte[] buffer = new byte[CHUNK_BYTES];
    private int filled;
    private boolean exhausted;

    private ExportVerifier(InputStream in, int threads, int differingMax) {
        this.in = in;
        this.threads = threads;
        this.differingMax = differingMax;
        this.count = new VerificationCount(differingMax);
    }

    /**
     * Reads the export to its end, and verifies it.
     *
     * @param threads how many threads verify at once
     * @param differingMax how many draws with differences are kept; further ones are only counted
     */
    public static VerificationCount verify(InputStream in, int threads, int differingMax)
            throws IOException, UnreadableExportException {
        return new ExportVerifier(in, threads, differingMax).verify();
    }

    private VerificationCount verify() throws IOException, UnreadableExportException {
        Head head = new Head();
        ExportChunkVerifier chunk = next(1);
        while (!chunk.isEmpty() && head.takes(chunk.line(), chunk.firstLine())) {
            chunk = chunk.rest();
            if (chunk.isEmpty()) {
                chunk = next(chunk.firstLine());
            }
        }
        draws(chunk, head.verifier(chunk.firstLine()));
        head.verdict().ifPresent(count::pool);
        return count;
    }

    /**
     * Returns the next chunk: as many whole lines as fit into the buffer. After the last line it returns an empty
     * chunk.
     */
    private ExportChunkVerifier next(long firstLine) throws IOException, UnreadableExportException {
        while (true) {
            fill();
            int whole = exhausted ? filled : wholeLines();
            if (whole > 0 || exhausted) {
                byte[] bytes = Arrays.copyOf(buffer, whole);
                filled -= whole;
                System.arraycopy(buffer, whole, buffer, 0, filled);
                return new ExportChunkVerifier(bytes, 0, whole, firstLine);
            }
            if (buffer.length >= LINE_BYTES_MAX) {
                throw new UnreadableExportException(firstLine, "longer than %d bytes".formatted(LINE_BYTES_MAX));
            }
            buffer = Arrays.copyOf(buffer, buffer.length * 2);
        }
    }

    private void fill() throws IOException {
        int read = in.readNBytes(buffer, filled, buffer.length - filled);
        filled += read;
        exhausted = filled < buffer.length;
    }

    private int wholeLines() {
        int end = filled;
        while (end > 0 && buffer[end - 1] != '\n') {
            end--;
        }
        return end;
    }

    /** The head of the export: all lines before the draws. */
    private static final class Head {

        private final List<CompiledStrategy> versions = new ArrayList<>();
        private final List<RoundCommitment> roundCommitments = new ArrayList<>();
        private @Nullable ActivityId activityId;
        private @Nullable PoolVerifier pool;
        private boolean isDrawn;

        /** Takes a line of the head, and returns whether the line belongs to the head. */
        boolean takes(ExportLine line, long number) throws UnreadableExportException {
            if (activityId == null && !(line instanceof HeadingLine)) {
                throw new UnreadableExportException(number, "an export begins with its activity");
            }
            return switch (line) {
                case HeadingLine heading -> heads(heading, number);
                case VersionLine version -> versions.add(once(rules(version, number), number));
                case CommitmentLine(RoundCommitment roundCommitment) ->
                    roundCommitments.add(once(whole(roundCommitment, number), number));
                case PoolLine published -> begins(published, number);
                case EntryLine entry -> enters(entry, number);
                case WinLine(PoolWin win) -> wins(win, number);
                case DrawLine _ -> false;
                case EndLine _ -> false;
            };
        }

        private boolean begins(PoolLine published, long number) throws UnreadableExportException {
            @Nullable PoolFrozen frozen = published.frozen();
            if (pool != null || frozen == null || !frozen.activityId().equals(activityId)) {
                throw new UnreadableExportException(number, "not the pool of the activity");
            }
            if (frozen.entries() < 0 || frozen.entries() > ENTRIES_MAX) {
                throw new UnreadableExportException(number, "a pool of %d entries".formatted(frozen.entries()));
            }
            pool = new PoolVerifier(frozen, published.ordered(), verifier(number));
            isDrawn = published.drawn();
            return true;
        }

        private boolean enters(EntryLine entry, long number) throws UnreadableExportException {
            @Nullable String orderId = entry.orderId();
            if (pool == null || orderId == null) {
                throw new UnreadableExportException(number, "an entry of no pool");
            }
            pool.entry(entry.entryNo(), orderId);
            return true;
        }

        private boolean wins(PoolWin win, long number) throws UnreadableExportException {
            @Nullable RaffleOrderId orderId = win.orderId();
            if (pool == null || orderId == null) {
                throw new UnreadableExportException(number, "a win of no pool");
            }
            pool.win(win);
            return true;
        }

        Optional<PoolVerdict> verdict() {
            return Optional.ofNullable(pool).map(verified -> verified.verdict(isDrawn));
        }

        private boolean heads(HeadingLine heading, long number) throws UnreadableExportException {
            if (activityId != null || heading.format() != DrawExportCodec.FORMAT) {
                throw new UnreadableExportException(
                        number, "not the beginning of an export of format " + DrawExportCodec.FORMAT);
            }
            activityId = heading.activityId();
            return true;
        }

        /**
         * Returns the rules, if no earlier line has the same version. A second line for a version is refused, because
         * it could contradict the first line, and only one of them would be used.
         */
        private CompiledStrategy once(CompiledStrategy rules, long number) throws UnreadableExportException {
            if (versions.stream()
                    .anyMatch(known ->
                            known.strategyId().equals(rules.strategyId()) && known.version() == rules.version())) {
                throw new UnreadableExportException(number, "a version of a strategy for the second time");
            }
            return rules;
        }

        private RoundCommitment once(RoundCommitment roundCommitment, long number) throws UnreadableExportException {
            if (roundCommitments.stream().anyMatch(known -> known.round() == roundCommitment.round())) {
                throw new UnreadableExportException(number, "a round for the second time");
            }
            return roundCommitment;
        }

        private static RoundCommitment whole(RoundCommitment roundCommitment, long number)
                throws UnreadableExportException {
            @Nullable String commitment = roundCommitment.commitment();
            if (commitment == null) {
                throw new UnreadableExportException(number, "a round without commitment");
            }
            return roundCommitment;
        }

        /** Checks a version and builds its rules. The check comes first, because the file may contain anything. */
        private static CompiledStrategy rules(VersionLine version, long number) throws UnreadableExportException {
            try {
                List<SubmissionFlaw> findings = StrategyDefinitionValidator.findings(version.definition());
                if (findings.isEmpty()) {
                    return CompiledStrategy.assemble(version.strategyId(), version.version(), version.definition());
                }
                throw new UnreadableExportException(number, "no strategy: " + findings.getFirst());
            } catch (NullPointerException | IllegalArgumentException | ArithmeticException e) {
                throw new UnreadableExportException(number, "no strategy: " + e.getMessage());
            }
        }

        DrawVerifier verifier(long number) throws UnreadableExportException {
            if (activityId == null) {
                throw new UnreadableExportException(number, "an export begins with its activity");
            }
            try {
                return new DrawVerifier(activityId, versions, roundCommitments);
            } catch (IllegalArgumentException e) {
                throw new UnreadableExportException(number - 1, "a seed that is none: " + e.getMessage());
            }
        }
    }

    /** Verifies chunks in parallel, and collects the results in their order. */
    private void draws(ExportChunkVerifier first, DrawVerifier verifier) throws IOException, UnreadableExportException {
        ExecutorService workers = Executors.newFixedThreadPool(threads);
        try {
            Deque<Future<ChunkResult>> underWay = new ArrayDeque<>();
            Sum sum = new Sum(first.firstLine() - 1, verifier);
            ExportChunkVerifier chunk = first;
            while (!chunk.isEmpty()) {
                ExportChunkVerifier given = chunk;
                underWay.add(workers.submit(() -> given.verified(verifier, differingMax)));
                if (underWay.size() >= threads * CHUNKS_PER_THREAD_MAX) {
                    sum.add(finished(underWay.remove()));
                }
                chunk = next(chunk.firstLine() + chunk.lines());
            }
            while (!underWay.isEmpty()) {
                sum.add(finished(underWay.remove()));
            }
            sum.close();
        } finally {
            workers.shutdownNow();
        }
    }

    private static ChunkResult finished(Future<ChunkResult> part) throws IOException, UnreadableExportException {
        try {
            return part.get(CHUNK_WAIT_MAX_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (TimeoutException e) {
            throw new IOException("a chunk took longer than %d s".formatted(CHUNK_WAIT_MAX_SECONDS), e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnreadableExportException unreadable) {
                throw unreadable;
            }
            throw new IOException("a draw could not be verified: " + e.getCause(), e.getCause());
        }
    }

    /** The results of all chunks so far. No chunk may follow the chunk with the last line of the export. */
    private final class Sum {

        private final DrawVerifier verifier;
        private final WinLimitVerifier limits;
        private long lastLine;
        private boolean ended;

        Sum(long lastLine, DrawVerifier verifier) {
            this.lastLine = lastLine;
            this.verifier = verifier;
            this.limits = new WinLimitVerifier(verifier);
        }

        void add(ChunkResult part) throws UnreadableExportException {
            if (ended) {
                throw new UnreadableExportException(lastLine + 1, "something behind the end");
            }
            count.add(part.count());
            for (CheckedDraw checked : part.ofLimits()) {
                RaffleDrawn drawn = checked.drawn();
                limits.difference(drawn).ifPresent(checked.differences()::add);
                count.add(drawn, verifier.hasSeed(drawn.round()), checked.differences());
            }
            lastLine = part.lastLine();
            Long end = part.end();
            if (end != null) {
                ended = true;
                if (end != count.draws()) {
                    throw new UnreadableExportException(
                            lastLine, "there should be %d draws, there are %d".formatted(end, count.draws()));
                }
            }
        }

        void close() throws UnreadableExportException {
            if (!ended) {
                throw new UnreadableExportException(lastLine + 1, "the export was cut off: it has no end");
            }
        }
    }
}
