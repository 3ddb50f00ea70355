package lottery.bench.invariant.readmodel;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import lottery.bench.invariant.EventTableRow;
import lottery.bench.invariant.ParsedEventPayload;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Folds the definitions of operators: activities, strategies and their awards. */
public final class ActivityReadModelFold {

    private ActivityReadModelFold() {}

    /** Folds activities and their states. */
    public static final class ActivityRowFold implements ReadModelFold {

        private final Map<String, Map<String, String>> activities = new HashMap<>();

        /** The commitments of the rounds, by activity. */
        private final Map<String, ArrayNode> rounds = new HashMap<>();

        /** The awards that are held, by activity. */
        private final Map<String, SortedSet<Long>> held = new HashMap<>();

        @Override
        public String table() {
            return "view_activity";
        }

        @Override
        public String sql() {
            return "SELECT activity_id::text, version, strategy_id, name, zone, state, strategy_version, strategy_hash,"
                    + " jsonb_strip_nulls(definition::jsonb)::text AS definition,"
                    + " jsonb_strip_nulls(rounds::jsonb)::text AS rounds, held_awards FROM view_activity";
        }

        @Override
        public List<FoldedRow> after(EventTableRow event) {
            if (!event.name().startsWith("activity.")) {
                return List.of();
            }
            String key = Long.toString(event.payload().number("activityId"));
            Map<String, String> columns = activities.computeIfAbsent(key, unknown -> new HashMap<>());
            if (event.payload().has("definition")) {
                ParsedEventPayload definition = event.payload().in("definition");
                columns.put("strategy_id", Long.toString(definition.number("strategyId")));
                columns.put("name", definition.text("name"));
                columns.put("zone", definition.text("zone"));
                columns.put("definition", definition.canonical());
            }
            commit(event, columns, rounds.computeIfAbsent(key, unknown -> JsonNodeFactory.instance.arrayNode()));
            approve(event, columns);
            hold(event, columns, held.computeIfAbsent(key, unknown -> new TreeSet<>()));
            String state = stateAfter(event.name());
            if (!state.isEmpty()) {
                columns.put("state", state);
            }
            return List.of(new FoldedRow(key, event.sequence(), Map.copyOf(columns)));
        }

        /**
         * Adds the commitment of an event to the rounds. It must be called before the event changes the approved
         * version.
         */
        private static void commit(EventTableRow event, Map<String, String> columns, ArrayNode rounds) {
            ParsedEventPayload payload = event.payload();
            switch (event.name()) {
                case "activity.started" -> {
                    ObjectNode round = rounds.addObject();
                    round.put("round", payload.number("round"));
                    round.put("commitment", payload.text("commitment"));
                    ArrayNode strategies = round.putArray("strategies");
                    String version = columns.getOrDefault("strategy_version", NOTHING);
                    if (!version.equals(NOTHING)) {
                        commit(payload, Long.parseLong(version), columns.get("strategy_hash"), strategies);
                    }
                }
                case "activity.strategy-adopted" -> {
                    if (!rounds.isEmpty()) {
                        commit(payload, payload.number("strategyVersion"), payload.text("strategyHash"), (ArrayNode)
                                rounds.get(rounds.size() - 1).get("strategies"));
                    }
                }
                case "activity.seed-published" -> {
                    for (JsonNode round : rounds) {
                        if (round.path("round").longValue() == payload.number("round")) {
                            ((ObjectNode) round).put("seed", payload.text("seed"));
                        }
                    }
                }
                default -> {
                    // Other events contain no commitment.
                }
            }
            columns.put("rounds", new ParsedEventPayload("", rounds).canonical());
        }

        private static void commit(
                ParsedEventPayload payload, long version, @Nullable String hash, ArrayNode strategies) {
            if (payload.has("roundCommitment")) {
                strategies
                        .addObject()
                        .put("strategyVersion", version)
                        .put("strategyHash", hash)
                        .put("roundCommitment", payload.text("roundCommitment"));
            }
        }

        private static void approve(EventTableRow event, Map<String, String> columns) {
            boolean isApproved = event.payload().has("strategyVersion");
            boolean isOver = Set.of("activity.created", "activity.edited", "activity.revoked", "activity.refused")
                    .contains(event.name());
            if (isApproved || isOver || event.name().equals("activity.passed")) {
                columns.put(
                        "strategy_version",
                        isApproved ? Long.toString(event.payload().number("strategyVersion")) : NOTHING);
                columns.put("strategy_hash", isApproved ? event.payload().text("strategyHash") : NOTHING);
            }
        }

        private static void hold(EventTableRow event, Map<String, String> columns, SortedSet<Long> held) {
            switch (event.name()) {
                case "activity.award-held" -> held.add(event.payload().number("awardId"));
                case "activity.held-award-released" ->
                    held.remove(event.payload().number("awardId"));
                default -> {
                    // Other events hold nothing.
                }
            }
            columns.put("held_awards", held.stream().map(String::valueOf).collect(Collectors.joining(",")));
        }

        /**
         * Returns the state of the activity after the event with this name; empty if the event does not change the
         * state.
         */
        private static String stateAfter(String name) {
            return switch (name) {
                case "activity.created", "activity.edited", "activity.revoked" -> "EDIT";
                case "activity.submitted" -> "ARRAIGNED";
                case "activity.passed" -> "PASSED";
                case "activity.refused" -> "REFUSED";
                case "activity.started", "activity.resumed" -> "DOING";
                case "activity.paused" -> "PAUSED";
                case "activity.closed" -> "CLOSED";
                case "activity.opened" -> "OPENED";
                default -> "";
            };
        }
    }

    /** Folds the awards of each version of a strategy. */
    public static final class WheelRowFold implements ReadModelFold {

        @Override
        public String table() {
            return "view_award";
        }

        @Override
        public String sql() {
            return "SELECT concat_ws('/', strategy_id, version, award_id), version, title, subtitle, type, sort, locked_until_draws, stock"
                    + " FROM view_award";
        }

        @Override
        public List<FoldedRow> after(EventTableRow event) {
            if (!event.name().equals("strategy.defined") && !event.name().equals("strategy.revised")) {
                return List.of();
            }
            long strategy = event.payload().number("strategyId");
            long version = event.payload().number("version");
            return event.payload().in("definition").each("awards").stream()
                    .map(award -> row(strategy, version, award))
                    .toList();
        }

        private static FoldedRow row(long strategy, long version, ParsedEventPayload award) {
            return new FoldedRow(
                    "%d/%d/%d".formatted(strategy, version, award.number("awardId")),
                    version,
                    Map.of(
                            "title", award.text("title"),
                            "subtitle", award.has("subtitle") ? award.text("subtitle") : NOTHING,
                            "type", award.text("type"),
                            "sort", Long.toString(award.number("sort")),
                            "locked_until_draws", Long.toString(award.number("lockedUntilDraws")),
                            "stock", award.has("stock") ? Long.toString(award.number("stock")) : NOTHING));
        }
    }
}
