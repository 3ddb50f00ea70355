package lottery.store.axon;

import java.util.ArrayList;
import java.util.List;
import org.axonframework.eventhandling.GlobalSequenceTrackingToken;
import org.axonframework.eventhandling.MergedTrackingToken;
import org.axonframework.eventhandling.ReplayToken;
import org.axonframework.eventhandling.TrackingToken;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Converts a token to the stored text, which usually is a plain number: the position. A processor that replays, or
 * whose segments were merged at different positions, needs more than one number. Its token is a JSON object until the
 * processor has caught up.
 */
final class TokenText {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private static final String UNTIL = "replayUntil";
    private static final String AT = "at";
    private static final String CONTEXT = "context";
    private static final String MERGED = "merged";

    private TokenText() {}

    static @Nullable String of(@Nullable TrackingToken token) {
        return token == null ? null : node(token).toString();
    }

    static @Nullable TrackingToken token(@Nullable String text) {
        return text == null ? null : token(JSON.readTree(text));
    }

    private static JsonNode node(@Nullable TrackingToken token) {
        return switch (token) {
            case null -> NODES.nullNode();
            case GlobalSequenceTrackingToken position -> NODES.numberNode(position.getGlobalIndex());
            case ReplayToken replay -> {
                ObjectNode node = NODES.objectNode();
                node.set(UNTIL, node(replay.getTokenAtReset()));
                node.set(AT, node(replay.getCurrentToken()));
                if (replay.context() != null) {
                    node.put(CONTEXT, contextText(replay.context()));
                }
                yield node;
            }
            case MergedTrackingToken merged -> {
                ArrayNode halves = NODES.arrayNode();
                halves.add(node(merged.lowerSegmentToken())).add(node(merged.upperSegmentToken()));
                yield NODES.objectNode().set(MERGED, halves);
            }
            case TrackingToken other ->
                throw new IllegalArgumentException("a token of this log is a position, not " + other);
        };
    }

    private static String contextText(Object context) {
        if (context instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException("what a replay is told is kept as text, and a %s is none"
                .formatted(context.getClass().getName()));
    }

    private static @Nullable TrackingToken token(JsonNode node) {
        if (node.isNull()) {
            return null;
        }
        if (node.isNumber()) {
            return new GlobalSequenceTrackingToken(node.longValue());
        }
        if (node.has(MERGED)) {
            List<@Nullable TrackingToken> halves = new ArrayList<>();
            node.get(MERGED).forEach(half -> halves.add(token(half)));
            return new MergedTrackingToken(halves.getFirst(), halves.getLast());
        }
        JsonNode context = node.get(CONTEXT);
        return ReplayToken.createReplayToken(
                token(node.get(UNTIL)), token(node.get(AT)), context == null ? null : context.stringValue());
    }
}
