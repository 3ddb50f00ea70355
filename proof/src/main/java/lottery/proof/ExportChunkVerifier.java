package lottery.proof;

import java.util.ArrayList;
import java.util.List;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.proof.DrawExportCodec.DrawLine;
import lottery.proof.DrawExportCodec.EndLine;
import lottery.proof.DrawExportCodec.ExportLine;
import lottery.rule.CompiledStrategy;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** Verifies a chunk of an export. A chunk consists of whole lines. */
final class ExportChunkVerifier {

    private final byte[] bytes;
    private final int from;
    private final int to;

    /** The number of the chunk's first line in the export. */
    private final long firstLine;

    ExportChunkVerifier(byte[] bytes, int from, int to, long firstLine) {
        this.bytes = bytes;
        this.from = from;
        this.to = to;
        this.firstLine = firstLine;
    }

    long firstLine() {
        return firstLine;
    }

    /** A draw with its differences, except the difference that follows from the user's earlier draws. */
    record CheckedDraw(RaffleDrawn drawn, List<Difference> differences) {}

    /**
     * The result of a chunk.
     *
     * @param count the counted draws of versions without limits per user
     * @param ofLimits the draws of versions with such limits; their verification depends on the chunks before this one
     * @param end the number of draws that the last line of the export states; null if that line is not in this chunk
     */
    record ChunkResult(
            VerificationCount count,
            List<CheckedDraw> ofLimits,
            @Nullable Long end,
            long lastLine) {}

    ExportLine line() throws UnreadableExportException {
        try {
            return DrawExportCodec.line(bytes, from, endOfLine() - from);
        } catch (JacksonException e) {
            throw new UnreadableExportException(firstLine, e.getOriginalMessage());
        } catch (IllegalArgumentException e) {
            throw new UnreadableExportException(firstLine, String.valueOf(e.getMessage()));
        }
    }

    ExportChunkVerifier rest() {
        return new ExportChunkVerifier(bytes, Math.min(endOfLine() + 1, to), to, firstLine + 1);
    }

    boolean isEmpty() {
        return from == to;
    }

    long lines() {
        long lines = 0;
        for (int i = from; i < to; i++) {
            if (bytes[i] == '\n' || i == to - 1) {
                lines++;
            }
        }
        return lines;
    }

    private int endOfLine() {
        int end = from;
        while (end < to && bytes[end] != '\n') {
            end++;
        }
        return end;
    }

    /** Verifies the chunk. It may contain only draws, and at most one end after them. */
    ChunkResult verified(DrawVerifier verifier, int differingMax) throws UnreadableExportException {
        VerificationCount count = new VerificationCount(differingMax);
        List<CheckedDraw> ofLimits = new ArrayList<>(0);
        ExportChunkVerifier left = this;
        Long end = null;
        while (!left.isEmpty()) {
            if (end != null) {
                throw new UnreadableExportException(left.firstLine, "something behind the end");
            }
            switch (left.line()) {
                case DrawLine draw -> left.verify(draw, verifier, count, ofLimits);
                case EndLine(long draws) -> end = draws;
                case ExportLine _ -> throw new UnreadableExportException(left.firstLine, "neither a draw nor the end");
            }
            left = left.rest();
        }
        return new ChunkResult(count, ofLimits, end, left.firstLine - 1);
    }

    /** Verifies one draw. A line with missing fields is reported as unreadable. */
    private void verify(DrawLine draw, DrawVerifier verifier, VerificationCount count, List<CheckedDraw> ofLimits)
            throws UnreadableExportException {
        List<String> missing = missing(draw);
        if (!missing.isEmpty()) {
            throw new UnreadableExportException(firstLine, "a draw without " + String.join(", ", missing));
        }
        try {
            RaffleDrawn drawn = draw.drawn();
            List<Difference> differences = verifier.differences(drawn);
            CompiledStrategy rules = verifier.rules(drawn);
            if (rules != null && rules.hasLimitsPerUser()) {
                ofLimits.add(new CheckedDraw(drawn, differences));
            } else {
                count.add(drawn, verifier.hasSeed(drawn.round()), differences);
            }
        } catch (IllegalArgumentException e) {
            throw new UnreadableExportException(firstLine, String.valueOf(e.getMessage()));
        }
    }

    private static List<String> missing(DrawLine draw) {
        List<String> missing = new ArrayList<>(0);
        require(draw.drawn().orderId(), "orderId", missing);
        require(draw.drawn().userId(), "userId", missing);
        require(draw.drawn().strategyId(), "strategyId", missing);
        require(draw.drawn().ticket(), "ticket", missing);
        require(draw.drawn().outcome(), "outcome", missing);
        return missing;
    }

    private static void require(@Nullable Object value, String name, List<String> missing) {
        if (value == null) {
            missing.add(name);
        }
    }
}
