package lottery.proof;

import java.util.ArrayList;
import java.util.List;
import lottery.proof.ExportFormat.Draw;
import lottery.proof.ExportFormat.End;
import lottery.proof.ExportFormat.Line;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** A chunk of whole lines of an export. */
final class ExportChunk {

    private final byte[] bytes;
    private final int from;
    private final int to;

    /** The number of its first line. */
    private final long firstLine;

    ExportChunk(byte[] bytes, int from, int to, long firstLine) {
        this.bytes = bytes;
        this.from = from;
        this.to = to;
        this.firstLine = firstLine;
    }

    long firstLine() {
        return firstLine;
    }

    /** The result of a chunk, and the draw count of the export's end if it is in it. */
    record Part(VerificationCount count, @Nullable Long end, long lastLine) {}

    Line line() throws UnreadableExport {
        try {
            return ExportFormat.line(bytes, from, endOfLine() - from);
        } catch (JacksonException e) {
            throw new UnreadableExport(firstLine, e.getOriginalMessage());
        } catch (IllegalArgumentException e) {
            throw new UnreadableExport(firstLine, String.valueOf(e.getMessage()));
        }
    }

    ExportChunk rest() {
        return new ExportChunk(bytes, Math.min(endOfLine() + 1, to), to, firstLine + 1);
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
    Part verified(DrawVerifier verifier, int differingMax) throws UnreadableExport {
        VerificationCount count = new VerificationCount(differingMax);
        ExportChunk left = this;
        Long end = null;
        while (!left.isEmpty()) {
            if (end != null) {
                throw new UnreadableExport(left.firstLine, "something behind the end");
            }
            switch (left.line()) {
                case Draw draw -> left.verify(draw, verifier, count);
                case End(long draws) -> end = draws;
                case Line _ -> throw new UnreadableExport(left.firstLine, "neither a draw nor the end");
            }
            left = left.rest();
        }
        return new Part(count, end, left.firstLine - 1);
    }

    /** Verifies one draw. A line with missing fields is reported before they are used. */
    private void verify(Draw draw, DrawVerifier verifier, VerificationCount count) throws UnreadableExport {
        List<String> missing = missing(draw);
        if (!missing.isEmpty()) {
            throw new UnreadableExport(firstLine, "a draw without " + String.join(", ", missing));
        }
        try {
            count.verify(draw.drawn(), verifier);
        } catch (IllegalArgumentException e) {
            throw new UnreadableExport(firstLine, String.valueOf(e.getMessage()));
        }
    }

    private static List<String> missing(Draw draw) {
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
