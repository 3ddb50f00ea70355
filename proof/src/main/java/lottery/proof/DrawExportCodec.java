package lottery.proof;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.ByteArrayOutputStream;
import lottery.api.activity.ActivityId;
import lottery.api.activity.RoundCommitment;
import lottery.api.pool.PoolEvent.PoolFrozen;
import lottery.api.pool.PoolEvent.PoolOrdered;
import lottery.api.pool.PoolWin;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyId;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * The facts that verify the draws of an activity, as lines of JSON. A line is an object with one field, whose name says
 * what it is. The activity comes first, then the versions of its strategies and its rounds. If there is a pool, it
 * follows with its entries by number, and then its wins by place. Then come the draws in the order of their commits.
 * The last line is the end; an export without it was cut off.
 */
final class DrawExportCodec {

    /**
     * The version of the format. It is increased when a program that reads the current format would misunderstand the
     * next one.
     */
    static final int FORMAT = 1;

    private static final String ACTIVITY = "activity";
    private static final String STRATEGY = "strategy";
    private static final String ROUND = "round";
    private static final String DRAW = "draw";
    private static final String POOL = "pool";
    private static final String ENTRY = "entry";
    private static final String WIN = "win";
    private static final String END = "end";

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            // The line end follows the value, and must not be taken for an error.
            .disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .changeDefaultPropertyInclusion(inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_NULL))
            .build();

    private static final ObjectReader HEADINGS = JSON.readerFor(HeadingLine.class);
    private static final ObjectReader VERSIONS = JSON.readerFor(VersionLine.class);
    private static final ObjectReader PLEDGES = JSON.readerFor(RoundCommitment.class);
    private static final ObjectReader DRAWS = JSON.readerFor(RaffleDrawn.class);
    private static final ObjectReader POOLS = JSON.readerFor(PoolLine.class);
    private static final ObjectReader ENTRIES = JSON.readerFor(EntryLine.class);
    private static final ObjectReader WINS = JSON.readerFor(PoolWin.class);
    private static final ObjectReader ENDS = JSON.readerFor(EndLine.class);

    sealed interface ExportLine {}

    record HeadingLine(ActivityId activityId, int format) implements ExportLine {}

    record VersionLine(StrategyId strategyId, int version, StrategyDefinition definition) implements ExportLine {}

    record CommitmentLine(RoundCommitment roundCommitment) implements ExportLine {}

    record DrawLine(RaffleDrawn drawn) implements ExportLine {}

    /**
     * The facts that a pool was drawn by. Its entries and wins follow.
     *
     * @param ordered the order of the entries; null before the draw of the pool
     * @param drawn whether all wins are given
     */
    record PoolLine(PoolFrozen frozen, @Nullable PoolOrdered ordered, boolean drawn) implements ExportLine {}

    record EntryLine(int entryNo, String orderId) implements ExportLine {}

    record WinLine(PoolWin win) implements ExportLine {}

    record EndLine(long draws) implements ExportLine {}

    private DrawExportCodec() {}

    static byte[] bytes(ExportLine line) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            json.writeStartObject();
            switch (line) {
                case HeadingLine heading -> json.writePOJOProperty(ACTIVITY, heading);
                case VersionLine version -> json.writePOJOProperty(STRATEGY, version);
                case CommitmentLine(RoundCommitment roundCommitment) -> json.writePOJOProperty(ROUND, roundCommitment);
                case DrawLine(RaffleDrawn drawn) -> json.writePOJOProperty(DRAW, drawn);
                case PoolLine pool -> json.writePOJOProperty(POOL, pool);
                case EntryLine entry -> json.writePOJOProperty(ENTRY, entry);
                case WinLine(PoolWin win) -> json.writePOJOProperty(WIN, win);
                case EndLine end -> json.writePOJOProperty(END, end);
            }
            json.writeEndObject();
        }
        bytes.write('\n');
        return bytes.toByteArray();
    }

    /** Reads a line. Throws JacksonException or IllegalArgumentException if it does not have this format. */
    static ExportLine line(byte[] bytes, int from, int length) {
        try (JsonParser json = JSON.createParser(bytes, from, length)) {
            expect(json, JsonToken.START_OBJECT);
            String name = json.nextName();
            expect(json, JsonToken.START_OBJECT);
            ExportLine line = line(String.valueOf(name), json);
            expect(json, JsonToken.END_OBJECT);
            if (json.nextToken() != null) {
                throw new IllegalArgumentException("more than one object in a line");
            }
            return line;
        }
    }

    private static ExportLine line(String name, JsonParser json) {
        return switch (name) {
            case ACTIVITY -> HEADINGS.<HeadingLine>readValue(json);
            case STRATEGY -> VERSIONS.<VersionLine>readValue(json);
            case ROUND -> new CommitmentLine(PLEDGES.readValue(json));
            case DRAW -> new DrawLine(DRAWS.readValue(json));
            case POOL -> POOLS.<PoolLine>readValue(json);
            case ENTRY -> ENTRIES.<EntryLine>readValue(json);
            case WIN -> new WinLine(WINS.readValue(json));
            case END -> ENDS.<EndLine>readValue(json);
            default -> throw new IllegalArgumentException("an export has no " + name);
        };
    }

    private static void expect(JsonParser json, JsonToken token) throws JacksonException {
        if (json.nextToken() != token) {
            throw new IllegalArgumentException("a line is an object with one object in it");
        }
    }
}
